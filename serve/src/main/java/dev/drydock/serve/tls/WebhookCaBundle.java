package dev.drydock.serve.tls;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.WakeUp;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes into a ValidatingWebhookConfiguration whom the API servers have to trust. */
final class WebhookCaBundle implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookCaBundle.class);
  private static final String COLLECTION =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1");

  private final KubeHttp http;
  private final String name;
  private final String namespace;
  private final WatchedObject<Seen> watched;
  private boolean missing;

  private record Webhook(String name, JsonNode client) {}

  private record Seen(String version, List<Webhook> webhooks) {
    static Seen read(JsonNode object) {
      List<Webhook> webhooks = new ArrayList<>();
      object
          .path("webhooks")
          .forEach(
              each ->
                  webhooks.add(new Webhook(Fields.text(each, "name"), each.path("clientConfig"))));
      return new Seen(Fields.text(object.path("metadata"), "resourceVersion"), webhooks);
    }
  }

  /**
   * @param namespace where the Service of those webhooks is that we serve
   */
  WebhookCaBundle(KubeHttp http, String name, String namespace, WakeUp bell) {
    this.http = http;
    this.name = name;
    this.namespace = namespace;
    watched = new WatchedObject<>(http, COLLECTION, name, Seen::read, bell);
  }

  void start() {
    watched.start();
  }

  boolean isAnswered() {
    return watched.isAnswered();
  }

  /** Has the API servers trust these authorities; the problem, if that did not work. */
  Optional<String> announce(String bundle) {
    Optional<String> unknown = watched.unknown();
    if (unknown.isPresent()) {
      return Optional.of("webhook configuration " + name + ": " + unknown.get());
    }
    Optional<Seen> seen = watched.current();
    if (seen.isEmpty() && !missing) {
      LOG.info("there is no ValidatingWebhookConfiguration {}: nobody asks about objects", name);
    }
    missing = seen.isEmpty();
    String encoded = StoredCertificates.encode(bundle);
    List<Webhook> old =
        seen.stream()
            .flatMap(found -> found.webhooks().stream())
            .filter(webhook -> isOurs(webhook.client()))
            .filter(webhook -> !Fields.text(webhook.client(), "caBundle").equals(encoded))
            .toList();
    return old.isEmpty() ? Optional.empty() : write(seen.orElseThrow().version(), old, encoded);
  }

  /** Another's Service, or another's host, is not ours to vouch for. */
  private boolean isOurs(JsonNode client) {
    JsonNode service = client.path("service");
    if (service.isObject()) {
      return Fields.text(service, "namespace").equals(namespace)
          && Fields.text(service, "name").equals(CertificateRotation.SERVICE);
    }
    String host = URI.create(Fields.text(client, "url")).getHost();
    return host != null && LOOPBACK.contains(host);
  }

  private Optional<String> write(String version, List<Webhook> old, String bundle) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("resourceVersion", version);
    ArrayNode webhooks = patch.putArray("webhooks");
    for (Webhook webhook : old) {
      webhooks
          .addObject()
          .put("name", webhook.name())
          .putObject("clientConfig")
          .put("caBundle", bundle);
    }
    KubeAnswer answer =
        http.send(ApiCall.strategicPatch(COLLECTION + "/" + name, patch.toString()));
    if (answer.ok()) {
      LOG.info("told the API servers whom to trust, in ValidatingWebhookConfiguration {}", name);
      return Optional.empty();
    }
    if (answer.code() == HttpURLConnection.HTTP_CONFLICT) {
      return Optional.empty(); // it was changed meanwhile, and the watch brings us back
    }
    return Optional.of("webhook configuration " + name + ": " + answer.message());
  }

  @Override
  public void close() {
    watched.close();
  }
}
