package dev.drydock.serve.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.ShiftedTime;
import dev.drydock.testkit.TestCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two operators share the certificates in one Secret of a simulated cluster. */
class CertificateRotationTest {
  private static final String SECRET = "/api/v1/namespaces/default/secrets/certs";
  private static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  private static final String OURS = "https://127.0.0.1:1/x";
  private static final CertificateRotation.Target PLACE =
      new CertificateRotation.Target(
          "default",
          "certs",
          List.of(WebhookConfiguration.validating("drydock")),
          List.of("drydock-operator"));

  /** In real time: operators race on threads of their own. */
  private final TestCluster cluster =
      TestCluster.simulated(SimulatedCluster.running(SimulatedCluster.Settings.defaults()));

  private final KubeHttp http = cluster.process().kube().http();
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final List<CertificateRotation> keepers = new ArrayList<>();

  @AfterEach
  void stop() {
    keepers.forEach(CertificateRotation::close);
    cluster.close();
  }

  private CertificateRotation keeper(RequestInterceptor hook) {
    ProcessOptions options = ProcessOptions.of(hook).withTime(time -> new ShiftedTime(time, ahead));
    CertificateRotation rotation = new CertificateRotation(cluster.process(options).kube(), PLACE);
    keepers.add(rotation);
    rotation.start();
    return rotation;
  }

  private void webhook(String url) {
    var _ =
        cluster
            .client()
            .resource(
                """
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingWebhookConfiguration
                metadata: {name: drydock}
                webhooks:
                  - name: vnotifymaintenance.kb.io
                    admissionReviewVersions: [v1]
                    sideEffects: None
                    clientConfig: {url: '%s'}
                """
                    .formatted(url))
            .create();
  }

  private Eventually eventually() {
    return cluster.eventually();
  }

  private JsonNode get(String path) {
    return http.send(ApiCall.get(path)).body();
  }

  private void delete(String path) {
    var _ = http.send(ApiCall.delete(path, "{}")).orThrow(path);
  }

  private StoredCertificates stored() {
    return StoredCertificates.read(Fields.texts(get(SECRET).path("data")));
  }

  private String trusted() {
    JsonNode webhook = get(WEBHOOKS + "/drydock").path("webhooks").path(0);
    String bundle = webhook.path("clientConfig").path("caBundle").asText();
    return new String(Base64.getDecoder().decode(bundle), StandardCharsets.US_ASCII);
  }

  private void awaitAgreement() {
    eventually()
        .untilAsserted(
            () -> {
              StoredCertificates stored = stored();
              assertThat(stored.serving()).isPresent();
              assertThat(keepers)
                  .allSatisfy(
                      rotation -> assertThat(rotation.serving()).isEqualTo(stored.serving()));
              assertThat(trusted()).isEqualTo(stored.bundle());
            });
  }

  /** Holds the first write of each process back until both are about to make it. */
  private static final class BothAtOnce implements RequestInterceptor {
    private final CountDownLatch writers = new CountDownLatch(2);

    @Override
    public void before(ApiCall call) {
      if (call.verb() == Verb.CREATE) {
        writers.countDown();
        try {
          assertThat(writers.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void after(ApiCall call, int code) {}
  }

  @Test
  void twoThatBeginAtOnceAgree() {
    webhook(OURS);
    BothAtOnce race = new BothAtOnce();
    keeper(race);
    keeper(race);

    awaitAgreement();
  }

  @Test
  void certificatesAreRenewedAndTheAuthorityTooWithAnOverlap() {
    webhook(OURS);
    keeper(RequestInterceptor.NONE);
    keeper(RequestInterceptor.NONE);
    awaitAgreement();
    StoredCertificates first = stored();

    advance(Duration.ofDays(61));
    eventually().until(() -> !stored().serving().equals(first.serving()));
    awaitAgreement();
    assertThat(stored().authorities()).isEqualTo(first.authorities());

    StoredCertificates second = stored();
    advance(Duration.ofDays(2 * 365 - 20 - 61));
    eventually().until(() -> !stored().serving().equals(second.serving()));
    StoredCertificates third = stored();
    advance(Duration.ofDays(20));
    eventually().until(() -> stored().authorities().size() == 2);
    awaitAgreement();
    assertThat(trusted()).contains(first.bundle());
    assertThat(stored().serving()).as("still signed by the old one").isEqualTo(third.serving());

    advance(Duration.ofHours(1));
    eventually().until(() -> !stored().serving().equals(third.serving()));
    awaitAgreement();
  }

  private void advance(Duration by) {
    var _ = ahead.accumulateAndGet(by, Duration::plus);
    keepers.forEach(CertificateRotation::look);
  }

  @Test
  void whatSomebodyDestroysIsMadeAnew() {
    webhook(OURS);
    keeper(RequestInterceptor.NONE);
    awaitAgreement();
    StoredCertificates first = stored();

    delete(SECRET);
    eventually().until(() -> !stored().authorities().isEmpty());
    assertThat(stored()).isNotEqualTo(first);
    awaitAgreement();

    delete(WEBHOOKS + "/drydock");
    webhook(OURS);
    awaitAgreement();
  }

  /** Remembers what was changed. */
  private static final class Changes implements RequestInterceptor {
    final List<String> paths = new CopyOnWriteArrayList<>();

    @Override
    public void before(ApiCall call) {
      if (call.verb() == Verb.PATCH) {
        paths.add(call.path());
      }
    }

    @Override
    public void after(ApiCall call, int code) {}
  }

  @Test
  void anothersWebhookIsLeftAlone() {
    webhook("https://other.example/x");
    Changes changes = new Changes();
    CertificateRotation rotation = keeper(changes);
    eventually().until(() -> rotation.serving().isPresent());
    rotation.look();

    delete(WEBHOOKS + "/drydock");
    webhook(OURS);

    awaitAgreement();
    assertThat(changes.paths).containsExactly(WEBHOOKS + "/drydock");
  }
}
