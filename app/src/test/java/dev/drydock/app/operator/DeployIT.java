package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.DrydockTest;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.serve.feature.Features;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.Eventually;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests, judged by a real API server through a real kubectl. */
@ClusterTest
class DeployIT {
  private final ControlPlane cluster;
  private final TestOperators operators;

  private final List<String> applied = new ArrayList<>();

  DeployIT(ControlPlane cluster, @TempDir Path folder) {
    this.cluster = cluster;
    this.operators = new TestOperators(cluster, folder);
  }

  /** Policies would judge what other tests do on this cluster. */
  @AfterEach
  void removePolicies() {
    applied.forEach(path -> cluster.kubectl("delete", "--ignore-not-found", "-f", path).output());
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

  @ParameterizedTest
  @ValueSource(strings = {"health", "slurm"})
  void whatRunsOnlyWhereItIsWantedPassesADryRunOnTheServer(String folder) {
    Path manifests = TestOperators.DEPLOY.resolve(folder);
    cluster
        .kubectl("apply", "--server-side", "-f", manifests.resolve("namespace.yaml").toString())
        .output();

    CommandResult result = cluster.kubectl("apply", "-k", manifests.toString(), "--dry-run=server");

    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.standardError()).doesNotContain("deprecated", "unknown field");
  }

  /** The API server checks expressions by the schemas of what they are about. */
  @Test
  void everyPolicySaysWhatItsObjectsHave() throws IOException {
    operators.define();
    for (String file :
        List.of(
            "policy.yaml",
            "class-policy.yaml",
            "evidence-policy.yaml",
            "agent-policy.yaml",
            "cxi-driver-policy.yaml",
            "cxi-agent.yaml")) {
      String path = TestOperators.DEPLOY.resolve(file).toString();
      applied.add(path);
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
  void theDefinitionsOfPartsThatRunByDefaultBelongToIt() throws IOException {
    String kustomization = Files.readString(TestOperators.DEPLOY.resolve("kustomization.yaml"));
    try (Stream<Path> files = Files.list(TestOperators.DEPLOY.resolve("crds"))) {
      List<String> others =
          Stream.of(CrdCatalog.SERVED_BY_OTHERS, CrdCatalog.ON_REQUEST)
              .flatMap(List::stream)
              .map(kind -> CustomResource.getCRDName(kind) + "-v1.yaml")
              .toList();
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !others.contains(name))
              .map("crds/"::concat)
              .toList();
      assertThat(kustomization).contains(names).doesNotContain(others);
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
