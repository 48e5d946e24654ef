package dev.drydock.app.operator;

import static dev.drydock.app.operator.SlingshotManifests.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import dev.drydock.app.DrydockTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What installs the operator for CXI drivers alone. Run with {@code -Dmanifests.write=true} to make
 * it anew.
 */
class SlingshotManifestsTest {
  private static void same(Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> each : files.entrySet()) {
      Path file = ROOT.resolve(each.getKey());
      if (Boolean.getBoolean("manifests.write")) {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, each.getValue());
      }
      assertThat(file).as("made by make manifests").exists().hasContent(each.getValue());
    }
  }

  @Test
  void everyWayOfInstallingComesFromOneSource() throws IOException {
    same(SlingshotManifests.chartFiles());
    same(SlingshotManifests.rendered());
  }

  private static JsonNode object(String kind, String name, String... values) throws IOException {
    for (JsonNode each : objects(values)) {
      if (each.path("kind").asText().equals(kind)
          && each.path("metadata").path("name").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError("no " + kind + " " + name);
  }

  private static List<JsonNode> objects(String... values) throws IOException {
    var template = SlingshotManifests.template();
    for (String value : values) {
      String[] parts = value.split("=", 2);
      template = template.set(parts[0], parts[1]);
    }
    List<JsonNode> all = new ArrayList<>();
    YAMLMapper yaml = new YAMLMapper();
    yaml.readerFor(JsonNode.class)
        .<JsonNode>readValues(template.call())
        .forEachRemaining(each -> all.add(each));
    all.removeIf(each -> !each.isObject());
    return all;
  }

  @Test
  void theChartIsInOrder() {
    assertThat(new Helm(SlingshotManifests.CHART).lint().strict().call().isFailed()).isFalse();
  }

  @Test
  void theDeploymentHasTheNamesPortsAndArgumentsThatUsersKnow() throws IOException {
    JsonNode deployment = object("Deployment", "slingshot-operator");
    JsonNode container =
        deployment.path("spec").path("template").path("spec").path("containers").path(0);
    assertThat(deployment.path("metadata").path("namespace").asText())
        .isEqualTo("slingshot-system");
    assertThat(container.path("ports").findValuesAsText("containerPort"))
        .containsExactly("9443", "8443", "8081");
    List<String> arguments = new ArrayList<>();
    container.path("args").forEach(each -> arguments.add(each.asText()));
    assertThat(arguments).startsWith("operator", "--parts=slingshot");

    arguments.add("--print-config");
    var outcome = DrydockTest.run(arguments.toArray(String[]::new));

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("certSecret: slingshot-operator-webhook-server-cert")
        .contains("leaderElectLease: bf7f9b28.hpe.com")
        .contains("service: slingshot-operator-webhook")
        .contains("image: \"drydock.local/drydock:latest\"");
  }

  @Test
  void metricsCanBeSwitchedOff() throws IOException {
    JsonNode container =
        object("Deployment", "slingshot-operator", "metrics.enabled=false")
            .path("spec")
            .path("template")
            .path("spec")
            .path("containers")
            .path(0);
    assertThat(container.path("args").toString()).contains("--metrics-enabled=false");
    assertThat(container.path("ports").findValuesAsText("name"))
        .containsExactly("webhook", "health");
  }

  @Test
  void valuesOfTheOriginalChartAreTaken() throws IOException {
    JsonNode deployment =
        object(
            "Deployment",
            "other",
            "fullnameOverride=other",
            "replicaCount=2",
            "image.repository=registry.example/drydock",
            "image.tag=1.0",
            "image.pullPolicy=Always",
            "imagePullSecrets[0].name=pull",
            "serviceAccount.name=account",
            "leaderElection.enabled=false",
            "metrics.port=9000",
            "webhook.port=9001",
            "resources.limits.memory=1Gi",
            "nodeSelector.role=infra",
            "tolerations[0].operator=Exists",
            "webhook.sidecar.enabled=true");
    JsonNode pod = deployment.path("spec").path("template").path("spec");
    assertThat(deployment.path("spec").path("replicas").asInt()).isEqualTo(2);
    assertThat(pod.path("serviceAccountName").asText()).isEqualTo("account");
    assertThat(pod.path("imagePullSecrets").path(0).path("name").asText()).isEqualTo("pull");
    assertThat(pod.path("nodeSelector").path("role").asText()).isEqualTo("infra");
    assertThat(pod.path("tolerations").path(0).path("operator").asText()).isEqualTo("Exists");
    JsonNode container = pod.path("containers").path(0);
    assertThat(container.path("image").asText()).isEqualTo("registry.example/drydock:1.0");
    assertThat(container.path("imagePullPolicy").asText()).isEqualTo("Always");
    assertThat(container.path("resources").path("limits").path("memory").asText()).isEqualTo("1Gi");
    assertThat(container.path("args").toString())
        .contains("--leader-elect=false", "--metrics-port=9000", "--webhook-port=9001")
        .contains(
            "--webhook-service=other-webhook", "--slingshot-image=registry.example/drydock:1.0");
    assertThat(object("ClusterRole", "other-manager", "fullnameOverride=other").toString())
        .contains("other-cxidriver")
        .doesNotContain("slingshot-operator-cxidriver");
    assertThat(object("Role", "other-leader-election", "fullnameOverride=other").toString())
        .contains("other-webhook-server-cert");
    assertThat(
            object("ServiceAccount", "slingshot-operator", "serviceAccount.annotations.a=b")
                .path("metadata")
                .path("annotations")
                .path("a")
                .asText())
        .isEqualTo("b");
  }

  @Test
  void theValidationCanBeSwitchedOffAndFailOpen() throws IOException {
    JsonNode off =
        object(
            "ValidatingWebhookConfiguration",
            "slingshot-operator-cxidriver",
            "webhook.cxidriver.enabled=false",
            "webhook.cxidriver.failurePolicy=Ignore");
    assertThat(off.path("webhooks").path(0).has("rules")).isFalse();
    assertThat(off.path("webhooks").path(0).path("failurePolicy").asText()).isEqualTo("Ignore");
  }

  @Test
  void anImageWithAnotherCommandLineIsRefused() {
    assertThatThrownBy(
            () ->
                SlingshotManifests.template()
                    .set("image.repository", "ghcr.io/sielicki/slingshot-operator/manager")
                    .call())
        .hasMessageContaining(
            "image.repository: ghcr.io/sielicki/slingshot-operator/manager has another command line");
  }

  @Test
  void anOlderKubernetesIsRefused() {
    assertThatThrownBy(() -> SlingshotManifests.template().withKubeVersion("v1.30.0").call())
        .hasMessageContaining("1.31");
  }
}
