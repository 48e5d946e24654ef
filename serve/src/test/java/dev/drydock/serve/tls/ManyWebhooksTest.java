package dev.drydock.serve.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One identity for several Services, trusted by several webhook configurations. */
class ManyWebhooksTest {
  private static final CertificateRotation.Target TARGET =
      new CertificateRotation.Target(
          "default",
          "certs",
          List.of(
              WebhookConfiguration.validating("first"),
              WebhookConfiguration.validating("second"),
              WebhookConfiguration.mutating("third")),
          List.of("one", "two"));

  private static final String OURS = "https://localhost:1/x";

  private final TestCluster cluster = TestCluster.simulated();
  private final KubernetesClient client = cluster.client();

  @AfterEach
  void close() {
    cluster.close();
  }

  private void validating(String name, String url) {
    client
        .resource(
            new ValidatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addNewWebhook()
                .withName("v.drydock.dev")
                .withAdmissionReviewVersions("v1")
                .withSideEffects("None")
                .withNewClientConfig()
                .withUrl(url)
                .endClientConfig()
                .endWebhook()
                .build())
        .create();
  }

  private void mutating(String name, String... urls) {
    MutatingWebhookConfigurationBuilder builder =
        new MutatingWebhookConfigurationBuilder().withNewMetadata().withName(name).endMetadata();
    for (String url : urls) {
      builder
          .addNewWebhook()
          .withName("m-" + URI.create(url).getHost() + ".drydock.dev")
          .withAdmissionReviewVersions("v1")
          .withSideEffects("None")
          .withNewClientConfig()
          .withUrl(url)
          .endClientConfig()
          .endWebhook();
    }
    client.resource(builder.build()).create();
  }

  private List<String> trust() {
    var api = client.admissionRegistration().v1();
    List<String> bundles = new ArrayList<>();
    for (String name : List.of("first", "second")) {
      api.validatingWebhookConfigurations()
          .withName(name)
          .require()
          .getWebhooks()
          .forEach(each -> bundles.add(name + " " + each.getClientConfig().getCaBundle()));
    }
    api.mutatingWebhookConfigurations()
        .withName("third")
        .require()
        .getWebhooks()
        .forEach(each -> bundles.add(each.getName() + " " + each.getClientConfig().getCaBundle()));
    return bundles;
  }

  private String bundle() {
    return String.valueOf(
        client
            .secrets()
            .inNamespace("default")
            .withName("certs")
            .require()
            .getData()
            .get("ca.crt"));
  }

  @Test
  void allAreToldAndEveryServiceIsNamed() throws Exception {
    validating("first", OURS);
    validating("second", OURS);
    mutating("third", OURS, "https://other.example/x");
    try (CertificateRotation rotation = new CertificateRotation(cluster.process().kube(), TARGET)) {
      rotation.start();

      cluster
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(trust())
                      .containsExactly(
                          "first " + bundle(),
                          "second " + bundle(),
                          "m-localhost.drydock.dev " + bundle(),
                          "m-other.example.drydock.dev null"));
      assertThat(
              rotation.serving().orElseThrow().certificate().getSubjectAlternativeNames().stream()
                  .map(name -> String.valueOf(name.get(1))))
          .contains("one.default.svc", "two.default.svc.cluster.local", "localhost");
    }
  }

  private static CertificateRotation.Target operatorOf(String secret) {
    return new CertificateRotation.Target(
        "default", secret, List.of(WebhookConfiguration.validating("first")), List.of(secret));
  }

  @Test
  void twoProcessesThatTakeAWebhookForTheirsWriteLessAndLessOftenAndSaySo() {
    AtomicInteger patches = new AtomicInteger();
    RequestInterceptor counting =
        new RequestInterceptor() {
          @Override
          public void before(ApiCall call) {
            if (call.verb() == ApiCall.Verb.PATCH && call.path().endsWith("/first")) {
              patches.incrementAndGet();
            }
          }

          @Override
          public void after(ApiCall call, int code) {}
        };
    validating("first", OURS);
    Kube one = cluster.process(counting).kube();
    Kube other = cluster.process(counting).kube();
    try (CertificateRotation first = new CertificateRotation(one, operatorOf("one"));
        CertificateRotation second = new CertificateRotation(other, operatorOf("other"))) {
      first.start();
      second.start();

      cluster.pass(Duration.ofMinutes(1));
      assertThat(Stream.of(one, other).flatMap(each -> each.health().degraded().stream()))
          .anyMatch(line -> line.contains("another process keeps replacing the caBundle"));
      cluster.pass(Duration.ofHours(1));

      assertThat(patches.get()).isLessThan(40);
    }
  }

  @Test
  void aConfigurationThatCannotBeWrittenIsShownAndWrittenWhenItCanBe() {
    validating("first", OURS);
    validating("second", OURS);
    mutating("third", OURS);
    LoopBug bug =
        new LoopBug()
            .at(
                call -> {
                  if (DyingProcess.isWrite(call) && call.path().endsWith("/first")) {
                    throw new ApiFailure(403, "first: forbidden");
                  }
                  return false;
                });
    Kube kube = cluster.process(bug).kube();
    try (CertificateRotation rotation = new CertificateRotation(kube, TARGET)) {
      rotation.start();
      cluster.eventually().until(() -> !kube.health().degraded().isEmpty());
      assertThat(kube.health().degraded())
          .containsExactly(
              "webhook-ca-bundle ValidatingWebhookConfiguration first: first: forbidden");

      bug.atWritesTo("/first");
      bug.staysIn(
          "webhook-ca-bundle",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(rotation.serving()).isPresent();
            assertThat(trust())
                .containsExactly(
                    "first null", "second " + bundle(), "m-localhost.drydock.dev " + bundle());
            assertThat(kube.health().degraded()).hasSize(1);
          },
          () -> assertThat(trust()).allMatch(line -> line.endsWith(bundle())));
    }
  }

  @Test
  void aBugAboutOneSecretHoldsUpNoOther() {
    LoopBug bug =
        new LoopBug()
            .at(
                call ->
                    DyingProcess.isWrite(call)
                        && String.valueOf(call.body()).contains("\"name\":\"bad\""));
    Kube kube = cluster.process(bug).kube();
    try (CertificateRotation bad = new CertificateRotation(kube, operatorOf("bad"));
        CertificateRotation good = new CertificateRotation(kube, operatorOf("good"))) {
      bad.start();
      good.start();

      bug.staysIn(
          "certificates",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(good.serving()).isPresent();
            assertThat(bad.serving()).isEmpty();
          },
          () -> assertThat(bad.serving()).isPresent());
    }
  }
}
