package dev.drydock.serve.tls;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.WakeUp;
import dev.drydock.serve.tls.decide.CertificateRotationPlan;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the certificates of the operator's servers in a Secret, makes them anew in time, and tells
 * the API servers whom to trust. Every operator does so, leading or not: they serve what the Secret
 * holds, and of two that change it at once one has to look again.
 */
public final class CertificateRotation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateRotation.class);

  /** The Service that API servers reach us by. */
  public static final String SERVICE = "drydock-operator";

  private static final Duration LONGEST_WAIT = Duration.ofHours(1);
  private static final Backoff BACKOFF = Backoff.USUAL;

  private final KubeHttp http;
  private final Target target;
  private final Clock clock;
  private final CertificateIssuer issuer = new CertificateIssuer();
  private final List<String> names;
  private final WakeUp bell = new WakeUp();
  private final WatchedObject<Secret> watched;
  private final Optional<WebhookCaBundle> trust;
  private volatile Optional<TlsIdentity> serving = Optional.empty();
  private volatile boolean closed;
  private String told = "";
  private int failures;

  /**
   * Where things are.
   *
   * @param webhooks name of the ValidatingWebhookConfiguration that has to trust us, if any
   */
  public record Target(String namespace, String secret, Optional<String> webhooks) {
    String collection() {
      return "/api/v1/namespaces/" + namespace + "/secrets";
    }

    String path() {
      return collection() + "/" + secret;
    }
  }

  private record Secret(String version, Map<String, String> data) {
    static Secret read(JsonNode object) {
      return new Secret(
          Fields.text(object.path("metadata"), "resourceVersion"),
          Fields.texts(object.path("data")));
    }
  }

  public CertificateRotation(KubeHttp http, Target target, Clock clock) {
    this.http = http;
    this.target = target;
    this.clock = clock;
    String host = SERVICE + "." + target.namespace() + ".svc";
    names = List.of(host, host + ".cluster.local", "localhost", "127.0.0.1");
    watched = new WatchedObject<>(http, target.collection(), target.secret(), Secret::read, bell);
    trust =
        target.webhooks().map(name -> new WebhookCaBundle(http, name, target.namespace(), bell));
  }

  public void start() {
    watched.start();
    trust.ifPresent(WebhookCaBundle::start);
    Thread.ofVirtual().name("certificates").start(this::run);
  }

  /** What to serve with now; empty until there is something. */
  public Optional<TlsIdentity> serving() {
    return serving;
  }

  /** Looks again, although nothing has changed. */
  public void look() {
    bell.ring();
  }

  private void run() {
    try {
      while (!closed) {
        bell.await(step());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** How long to wait if nothing happens. */
  private Duration step() {
    if (!watched.isAnswered() || !trust.map(WebhookCaBundle::isAnswered).orElse(true)) {
      return LONGEST_WAIT;
    }
    Optional<String> unknown = watched.unknown();
    if (unknown.isPresent()) {
      return wait("Secret %s cannot be read: %s".formatted(target.path(), unknown.get()));
    }
    Optional<Secret> secret = watched.current();
    StoredCertificates kept =
        secret.map(found -> StoredCertificates.read(found.data())).orElse(StoredCertificates.NONE);
    Instant now = clock.instant();
    CertificateRotationPlan.Kept facts = kept.facts(names);
    if (facts.serving().filter(CertificateRotationPlan.Serving::fits).isPresent()) {
      serve(kept.serving());
    }
    CertificateRotationPlan.Step step = CertificateRotationPlan.next(facts, now);
    if (!step.isIdle()) {
      return write(secret, kept.after(step, names, issuer, now));
    }
    Optional<String> problem = trust.flatMap(webhooks -> webhooks.announce(kept.bundle()));
    if (problem.isPresent()) {
      return again(problem.get());
    }
    failures = 0;
    told = "";
    Duration left = Duration.between(now, step.nextLook());
    return left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT;
  }

  private void serve(Optional<TlsIdentity> identity) {
    if (!identity.equals(serving)) {
      serving = identity;
      LOG.info(
          "serving with a certificate that is good until {}",
          identity.orElseThrow().certificate().getNotAfter().toInstant());
    }
  }

  /** Guarded by what was seen. When it is written, the watch tells. */
  private Duration write(Optional<Secret> seen, StoredCertificates next) {
    ObjectNode secret = Json.object();
    ObjectNode metadata = secret.putObject("metadata");
    ObjectNode data = secret.putObject("data");
    next.data().forEach(data::put);
    seen.ifPresent(found -> metadata.put("resourceVersion", found.version()));
    KubeAnswer answer =
        http.send(
            seen.isPresent()
                ? ApiCall.mergePatch(target.path(), secret.toString())
                : ApiCall.create(target.collection(), created(secret, metadata).toString()));
    if (answer.ok() || answer.code() == HttpURLConnection.HTTP_CONFLICT) {
      LOG.info(
          answer.ok()
              ? "made certificates, in Secret {}"
              : "another operator was faster with Secret {}",
          target.path());
      return LONGEST_WAIT;
    }
    return again("Secret %s cannot be written: %s".formatted(target.path(), answer.message()));
  }

  private ObjectNode created(ObjectNode secret, ObjectNode metadata) {
    metadata.put("name", target.secret()).put("namespace", target.namespace());
    return secret.put("apiVersion", "v1").put("kind", "Secret").put("type", "Opaque");
  }

  private Duration again(String problem) {
    failures++;
    tell(problem);
    return BACKOFF.after(failures);
  }

  /** The watch rings when it is over. */
  private Duration wait(String problem) {
    tell(problem);
    return LONGEST_WAIT;
  }

  private void tell(String problem) {
    if (!problem.equals(told)) {
      LOG.warn("{}; tried again", problem);
      told = problem;
    }
  }

  @Override
  public void close() {
    closed = true;
    watched.close();
    trust.ifPresent(WebhookCaBundle::close);
    bell.ring();
  }
}
