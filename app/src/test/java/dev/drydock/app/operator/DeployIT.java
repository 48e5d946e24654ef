package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.DrydockTest;
import dev.drydock.serve.feature.Features;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manifests, judged by a real API server through a real kubectl. */
@ClusterTest
class DeployIT {
  private final ControlPlane cluster;
  private final TestOperators operators;

  DeployIT(ControlPlane cluster, @TempDir Path folder) {
    this.cluster = cluster;
    this.operators = new TestOperators(cluster, folder);
  }

  @Test
  void everyManifestPassesADryRunOnTheServer() throws IOException {
    operators.define();
    String namespace = TestOperators.DEPLOY.resolve("namespace.yaml").toString();
    cluster.kubectl("apply", "--server-side", "-f", namespace).output();

    CommandResult result =
        cluster.kubectl("apply", "-k", TestOperators.DEPLOY.toString(), "--dry-run=server");

    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.output())
        .contains(
            "deployment.apps/drydock-operator",
            "service/drydock-operator",
            "configmap/drydock-operator",
            "secret/pika-server-cert",
            "poddisruptionbudget.policy/drydock-operator",
            "clusterrole.rbac.authorization.k8s.io/drydock-operator-read",
            "clusterrole.rbac.authorization.k8s.io/drydock-operator-write",
            "validatingwebhookconfiguration.admissionregistration.k8s.io/drydock",
            "validatingadmissionpolicy.admissionregistration.k8s.io/",
            "daemonset.apps/drydock-agent",
            "clusterrole.rbac.authorization.k8s.io/drydock-agent");
    assertThat(result.standardError())
        .as("warnings of the server")
        .doesNotContain("PodSecurity", "deprecated", "unknown field", "unrecognized");
  }

  @Test
  void theRightsOfSinglePartsPassADryRunOnTheServer() {
    String namespace = TestOperators.DEPLOY.resolve("namespace.yaml").toString();
    cluster.kubectl("apply", "--server-side", "-f", namespace).output();

    CommandResult result =
        cluster.kubectl(
            "apply", "-k", TestOperators.DEPLOY.resolve("parts").toString(), "--dry-run=server");

    assertThat(result.exitCode()).as(result.toString()).isZero();
    for (String part : Features.load().parts()) {
      assertThat(result.output()).contains("/drydock-operator-" + part + " ");
    }
  }

  /** The API server checks expressions by the schemas of what they are about. */
  @Test
  void everyPolicySaysWhatItsObjectsHave() throws IOException {
    operators.define();
    for (String file :
        List.of("policy.yaml", "class-policy.yaml", "evidence-policy.yaml", "agent-policy.yaml")) {
      String path = TestOperators.DEPLOY.resolve(file).toString();
      cluster.kubectl("apply", "--server-side", "-f", path).output();

      Eventually.inRealTime(Duration.ofMillis(100))
          .untilAsserted(
              () ->
                  assertThat(
                          cluster
                              .kubectl(
                                  "get",
                                  "-f",
                                  path,
                                  "-o",
                                  "go-template={{range .items}}{{if eq .kind \"ValidatingAdmissionPolicy\"}}"
                                      + "{{.status.typeChecking}};{{end}}{{end}}")
                              .output()
                              .split(";"))
                      .as(file)
                      .isNotEmpty()
                      .containsOnly("map[]"));
    }
  }

  @Test
  void everyDefinitionIsPartOfIt() throws IOException {
    String kustomization = Files.readString(TestOperators.DEPLOY.resolve("kustomization.yaml"));
    try (Stream<Path> files = Files.list(TestOperators.DEPLOY.resolve("crds"))) {
      List<String> names = files.map(file -> "crds/" + file.getFileName()).toList();
      assertThat(kustomization).contains(names);
    }
  }

  /** The configuration that is shipped is one that the operator takes. */
  @Test
  void theShippedSettingsAreValid(@TempDir Path folder) throws IOException {
    String rendered =
        cluster
            .kubectl(
                "create",
                "--dry-run=client",
                "-o",
                "jsonpath={.data.notifyMaintenanceConfig\\.yaml}",
                "-f",
                TestOperators.DEPLOY.resolve("config.yaml").toString())
            .output();
    Path file = Files.writeString(folder.resolve("config.yaml"), rendered);

    var outcome = DrydockTest.run("operator", "--print-config", "--config", file.toString());

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("slaPeriod: 5h # " + file);
  }
}
