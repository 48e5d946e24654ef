package dev.drydock.serve.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testkit.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Webhooks behind Services, as a real API server keeps them. */
@ClusterTest
class WebhookServicesIT {
  private static final String CONFIGURATION =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: %1$s
      metadata: {name: %2$s}
      webhooks:
        - name: ours.drydock.dev
          admissionReviewVersions: [v1]
          sideEffects: None
          clientConfig: {service: {namespace: %2$s, name: %3$s}}
        - name: another.drydock.dev
          admissionReviewVersions: [v1]
          sideEffects: None
          clientConfig: {service: {namespace: %2$s, name: another}}
      """;

  @Test
  void validatingAndMutatingConfigurationsTrustEveryServiceOfOurs(ControlPlane controlPlane) {
    try (TestCluster cluster = TestCluster.real(controlPlane);
        TestNamespace namespace = controlPlane.createNamespace("webhooks")) {
      String name = namespace.name();
      String validating = "ValidatingWebhookConfiguration";
      String mutating = "MutatingWebhookConfiguration";
      for (String yaml :
          List.of(
              CONFIGURATION.formatted(validating, name, "one"),
              CONFIGURATION.formatted(mutating, name, "two"))) {
        cluster.kubectl(yaml, "create", "-f", "-").output();
      }
      CertificateRotation.Target target =
          new CertificateRotation.Target(
              name,
              "certs",
              List.of(WebhookConfiguration.validating(name), WebhookConfiguration.mutating(name)),
              List.of("one", "two"));
      try (CertificateRotation rotation =
          new CertificateRotation(cluster.process().kube(), target)) {
        rotation.start();

        cluster
            .eventually()
            .untilAsserted(
                () -> {
                  String trusted =
                      cluster
                          .client()
                          .secrets()
                          .inNamespace(name)
                          .withName("certs")
                          .require()
                          .getData()
                          .get("ca.crt");
                  for (String kind : List.of(validating, mutating)) {
                    assertThat(bundle(cluster, kind, name, 0)).isEqualTo(trusted);
                    assertThat(bundle(cluster, kind, name, 1)).isEmpty();
                  }
                });
      } finally {
        for (String kind : List.of(validating, mutating)) {
          cluster.kubectl("", "delete", kind, name).output();
        }
      }
    }
  }

  private static String bundle(TestCluster cluster, String kind, String name, int webhook) {
    String path = "jsonpath={.webhooks[%d].clientConfig.caBundle}".formatted(webhook);
    return cluster.kubectl("", "get", kind, name, "-o", path).output();
  }
}
