package dev.drydock.serve.tls;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.drydock.contracts.NameLists;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Latest;
import dev.drydock.kube.Patch;
import dev.drydock.kube.time.TimeSource;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the caBundle of a webhook configuration. Each configuration has its own loop, so a failure
 * of one does not affect the others. A bundle that somebody replaces is written again; if that goes
 * on, two processes take the webhooks for theirs, and this one writes less and less often.
 */
final class WebhookCaBundle implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookCaBundle.class);
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1");

  /**
   * How often a replaced bundle is written again at once: a manifest may have been applied anew.
   */
  private static final int AT_ONCE = 3;

  private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(16);

  private final KubeHttp http;
  private final TimeSource time;
  private final WebhookConfiguration configuration;
  private final CertificateRotation.Target target;
  private final ControlLoop loop;
  private final WatchedObject watched;
  private final Latest<ApiObject> latest = new Latest<>();
  private volatile String bundle = "";
  private boolean missing;
  private String written = "";
  private Duration writtenAt = Duration.ZERO;
  private int replaced;

  WebhookCaBundle(
      Kube kube, WebhookConfiguration configuration, CertificateRotation.Target target) {
    this.http = kube.http();
    this.time = kube.time();
    this.configuration = configuration;
    this.target = target;
    loop = kube.loop("webhook-ca-bundle", configuration.toString(), this::step);
    watched =
        new WatchedObject(kube, configuration.resource(), "", configuration.name(), loop::wake);
  }

  void start() {
    watched.start();
  }

  /** Has the API servers trust these authorities. */
  void announce(String authorities) {
    bundle = StoredCertificates.encode(authorities);
    loop.wake();
  }

  private Instant step() {
    if (watched.isAnswered() && !bundle.isEmpty()) {
      watched.requireKnown(configuration.toString());
      Optional<ApiObject> seen =
          latest.of(watched.current().stream().toList()).stream().findFirst();
      if (seen.isEmpty() && !missing) {
        LOG.info("{} does not exist, so its webhooks are not called", configuration);
      }
      missing = seen.isEmpty();
      seen.ifPresent(found -> announce(found, bundle));
    }
    return Instant.MAX;
  }

  private void announce(ApiObject found, String authorities) {
    List<String> outdated = new ArrayList<>();
    for (JsonNode webhook : found.root().path("webhooks")) {
      JsonNode client = webhook.path("clientConfig");
      if (isOurs(client) && !Fields.text(client, "caBundle").equals(authorities)) {
        outdated.add(Fields.text(webhook, "name"));
      }
    }
    if (!outdated.isEmpty()) {
      waitForOthers(outdated, authorities);
      write(found, outdated, authorities);
      written = authorities;
      writtenAt = time.elapsed();
    }
  }

  /**
   * Counts how often somebody replaced what this process wrote.
   *
   * @throws Contested until it is time to write again
   */
  private void waitForOthers(List<String> outdated, String authorities) {
    if (!authorities.equals(written)) {
      return;
    }
    Duration since = time.elapsed().minus(writtenAt);
    Duration pause = pause();
    if (since.compareTo(pause) < 0) {
      throw new Contested(configuration, outdated);
    }
    replaced = since.compareTo(LONGEST_PAUSE) < 0 ? replaced + 1 : 1;
  }

  private Duration pause() {
    if (replaced < AT_ONCE) {
      return Duration.ZERO;
    }
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(replaced - AT_ONCE, 4));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  /** Another process writes a bundle of its own. */
  private static final class Contested extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    Contested(WebhookConfiguration configuration, List<String> webhooks) {
      super(
          "%s: another process keeps replacing the caBundle of %s; have each webhook point to the Service of one operator, or stop the other operator"
              .formatted(configuration, NameLists.some(webhooks)));
    }
  }

  /** Only webhooks that point to our Service or to this host. */
  private boolean isOurs(JsonNode client) {
    JsonNode service = client.path("service");
    if (service.isObject()) {
      return Fields.text(service, "namespace").equals(target.namespace())
          && target.serviceNames().contains(Fields.text(service, "name"));
    }
    String host = URI.create(Fields.text(client, "url")).getHost();
    return host != null && LOOPBACK.contains(host);
  }

  /** On a conflict the watch triggers the next attempt. */
  private void write(ApiObject found, List<String> outdated, String authorities) {
    Patch patch =
        Patch.ifUnchanged(configuration.resource(), found)
            .fields(
                root -> {
                  ArrayNode webhooks = root.putArray("webhooks");
                  for (String name : outdated) {
                    webhooks
                        .addObject()
                        .put("name", name)
                        .putObject("clientConfig")
                        .put("caBundle", authorities);
                  }
                });
    var _ =
        latest.wrote(
            ApiObject.of(http.send(patch.strategicCall()).orThrow(configuration.toString())));
    LOG.info("updated caBundle of {}", configuration);
  }

  @Override
  public void close() {
    loop.close();
    watched.close();
  }
}
