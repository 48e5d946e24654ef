package dev.drydock.serve.tls;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.serve.tls.decide.CertificateRotationPlan;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the certificates of a process's servers in a Secret, renews them before they expire, and
 * writes the CA bundle to the webhook configurations. Every replica does this; concurrent writers
 * of the Secret get a conflict and read it again.
 */
public final class CertificateRotation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateRotation.class);

  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final Kube kube;
  private final Target target;
  private final CertificateIssuer issuer = new CertificateIssuer();
  private final List<String> names;
  private final ControlLoop loop;
  private final WatchedObject watched;
  private final List<WebhookCaBundle> webhooks;
  private volatile Optional<TlsIdentity> serving = Optional.empty();

  /**
   * Where things are.
   *
   * @param namespace of the Secret and of the Services
   * @param secret where the certificates are kept
   * @param webhookConfigurations those that have to trust us
   * @param serviceNames the Services that we are reached by
   */
  public record Target(
      String namespace,
      String secret,
      List<WebhookConfiguration> webhookConfigurations,
      List<String> serviceNames) {
    private List<String> hosts() {
      return Stream.concat(
              serviceNames.stream()
                  .map(name -> name + "." + namespace + ".svc")
                  .flatMap(host -> Stream.of(host, host + ".cluster.local")),
              Stream.of("localhost", "127.0.0.1"))
          .toList();
    }

    private String path() {
      return Resource.SECRETS.path(namespace, secret);
    }
  }

  public CertificateRotation(Kube kube, Target target) {
    this.kube = kube;
    this.target = target;
    names = target.hosts();
    loop = kube.loop("certificates", this::step);
    watched =
        new WatchedObject(kube, Resource.SECRETS, target.namespace(), target.secret(), this::look);
    webhooks =
        target.webhookConfigurations().stream()
            .map(each -> new WebhookCaBundle(kube, each, target))
            .toList();
  }

  public void start() {
    watched.start();
    webhooks.forEach(WebhookCaBundle::start);
  }

  /** What to serve with now; empty until there is something. */
  public Optional<TlsIdentity> serving() {
    return serving;
  }

  /** Looks again, although nothing has changed. */
  public void look() {
    loop.wake();
  }

  private Instant step() {
    if (!watched.isAnswered()) {
      return Instant.MAX;
    }
    watched.requireKnown("Secret " + target.path());
    Optional<ApiObject> secret = watched.current();
    StoredCertificates kept =
        secret
            .map(found -> StoredCertificates.read(Fields.texts(found.root().path("data"))))
            .orElse(StoredCertificates.NONE);
    Instant now = kube.clock().instant();
    CertificateRotationPlan.Kept facts = kept.facts(names);
    if (facts.serving().filter(CertificateRotationPlan.Serving::fits).isPresent()) {
      serve(kept.serving());
    }
    CertificateRotationPlan.Step step = CertificateRotationPlan.next(facts, now);
    if (step.isIdle()) {
      webhooks.forEach(each -> each.announce(kept.bundle()));
    } else {
      write(secret, kept.after(step, names, issuer, now));
    }
    Instant latest = now.plus(LONGEST_WAIT);
    return step.isIdle() && step.nextLook().isBefore(latest) ? step.nextLook() : latest;
  }

  private void serve(Optional<TlsIdentity> identity) {
    if (!identity.equals(serving)) {
      serving = identity;
      LOG.info(
          "serving certificate valid until {}",
          identity.orElseThrow().certificate().getNotAfter().toInstant());
    }
  }

  /**
   * Fails with a conflict if the Secret changed since it was read. The watch then delivers the new
   * one.
   */
  private void write(Optional<ApiObject> seen, StoredCertificates next) {
    ObjectNode data = Json.object();
    next.data().forEach(data::put);
    KubeAnswer answer =
        kube.http()
            .send(
                seen.map(
                        found ->
                            Patch.ifUnchanged(Resource.SECRETS, found)
                                .fields(root -> root.set("data", data))
                                .call())
                    .orElseGet(() -> creation(data)));
    if (answer.code() == HttpURLConnection.HTTP_CONFLICT) {
      LOG.info("Secret {} was written by another replica; reading it again", target.path());
      return;
    }
    if (seen.isEmpty() && answer.code() == HttpURLConnection.HTTP_FORBIDDEN) {
      throw new ApiFailure(
          answer.code(),
          "Secret %s/%s does not exist, and this process may not create it; run: kubectl apply -f deploy/certificates.yaml"
              .formatted(target.namespace(), target.secret()));
    }
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND && seen.isEmpty()) {
      throw ApiFailure.noNamespace(target.namespace());
    }
    var _ = answer.orThrow("Secret %s cannot be written".formatted(target.path()));
    LOG.info("issued certificates and stored them in Secret {}", target.path());
  }

  private ApiCall creation(ObjectNode data) {
    ObjectNode secret = Resource.SECRETS.manifest(target.namespace(), target.secret());
    secret.put("type", "Opaque").set("data", data);
    return ApiCall.create(Resource.SECRETS.collection(target.namespace()), secret.toString());
  }

  @Override
  public void close() {
    loop.close();
    watched.close();
    webhooks.forEach(WebhookCaBundle::close);
  }
}
