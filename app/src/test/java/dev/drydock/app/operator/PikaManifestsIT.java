package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.DEPLOY;
import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.EstablishedDefinitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that comes from the first controller of NotifyMaintenances. */
@ClusterTest
class PikaManifestsIT {
  private static final Path ORIGINAL =
      Path.of(
          "..", "maintenance", "src", "test", "resources", "original", "notifymaintenances.yaml");

  /** Its own sample is older than its definition, which refuses it. */
  private static final String STALE_SAMPLE =
      """
      apiVersion: ngn2.nvidia.com/v1alpha1
      kind: NotifyMaintenance
      metadata: {name: notifymaintenance-stale, namespace: default}
      spec: {objects: [worker-1]}
      """;

  /** The other sample has a field in its status that its definition does not have. */
  private static final String PLATFORM_SAMPLE =
      """
      apiVersion: ngn2.nvidia.com/v1alpha1
      kind: PlatformInfo
      metadata: {name: platforminfo-sample}
      spec: {versions: {kubernetes: v1.26, nvp: v1234, vbios: v5678}}
      status: {maintenanceState: none}
      """;

  private final ControlPlane cluster = ControlPlane.start();
  private final TestOperators operators;
  private final Path folder;

  PikaManifestsIT(@TempDir Path folder) {
    this.folder = folder;
    operators = new TestOperators(cluster, folder);
  }

  @AfterEach
  void stop() {
    operators.close();
    cluster.close();
  }

  private CommandResult apply(Path file, String... more) {
    List<String> words = new java.util.ArrayList<>(List.of("apply", "-f", file.toString()));
    words.addAll(List.of(more));
    CommandResult result = cluster.kubectl(words.toArray(String[]::new));
    assertThat(result.exitCode()).as(result.toString()).isZero();
    return result;
  }

  private String sample(String output) {
    return cluster
        .kubectl("get", "notifymaintenances", "notifymaintenance-sample", "-o", output)
        .output();
  }

  @Test
  void theOriginalDefinitionIsRefusedWithTheCommandThatMendsIt() throws Exception {
    operators.define();
    cluster.kubectl("delete", "crd", "notifymaintenances.ngn2.nvidia.com").output();
    apply(ORIGINAL);
    EstablishedDefinitions.await(cluster.client());
    String node = "apiVersion: v1\nkind: Node\nmetadata: {name: worker-1}\n";
    cluster.kubectlWithInput(node, "create", "-f", "-").output();
    eventually(() -> cluster.kubectl("get", "notifymaintenances").exitCode() == 0);
    CommandResult stale = cluster.kubectlWithInput(STALE_SAMPLE, "create", "-f", "-");
    assertThat(stale.exitCode()).as(stale.toString()).isEqualTo(1);
    apply(DEPLOY.resolve("pika/samples/notifymaintenance.yaml"));

    eventually(
        () -> published().contains("maintenanceID") && !published().contains("maintenanceClass"));
    Process refused =
        operators.start("refused", "default", cluster.kubeconfig(), "--webhook-enabled=false");
    assertThat(refused.waitFor()).isEqualTo(1);
    assertThat(operators.log("refused"))
        .contains(
            "error: the CRD of NotifyMaintenance is not Drydock's or an older one: it has no spec.maintenanceClass;"
                + " objects are kept if you run: drydock crds | kubectl apply --server-side --force-conflicts -f -");

    Path crds =
        Files.writeString(
            folder.resolve("new.yaml"), dev.drydock.app.DrydockTest.run("crds").out());
    apply(crds, "--server-side", "--force-conflicts");
    assertThat(sample("jsonpath={.spec.maintenanceID}")).isEqualTo("sample-1");
    assertThat(cluster.kubectlWithInput(STALE_SAMPLE, "create", "-f", "-").standardError())
        .as("the same verdict as by the original definition")
        .isEqualTo(stale.standardError())
        .contains("spec.objects");
    eventually(() -> published().contains("waitingFor"));
    var _ =
        operators.start("taken-over", "default", cluster.kubeconfig(), "--webhook-enabled=false");
    eventually(() -> sample("jsonpath={.status.maintenanceStatus}").equals("MaintenanceScheduled"));
    assertThat(sample("wide").lines().findFirst().orElseThrow().split(" +", -1))
        .containsExactly(
            "NAME",
            "MAINTENANCEID",
            "STATUS",
            "NODE",
            "SLAEXPIRY",
            "READYFORMAINTENANCE",
            "WAITING");
  }

  /** What operators see of the definition, which the API server publishes a moment later. */
  private String published() {
    return cluster.kubectl("get", "--raw", "/openapi/v3/apis/ngn2.nvidia.com/v1alpha1").output();
  }

  @Test
  void rolesAndDefinitionsApply() throws IOException {
    operators.define();
    apply(DEPLOY.resolve("pika/roles.yaml"));
    apply(DEPLOY.resolve("pika/platforminfos.yaml"));
    EstablishedDefinitions.await(cluster.client());
    eventually(() -> cluster.kubectl("get", "platforminfos").exitCode() == 0);
    CommandResult withStatus =
        cluster.kubectlWithInput(PLATFORM_SAMPLE, "create", "--validate=warn", "-f", "-");
    assertThat(withStatus.exitCode()).as(withStatus.toString()).isZero();
    assertThat(withStatus.standardError()).contains("unknown field \"status.maintenanceState\"");
    apply(DEPLOY.resolve("pika/samples/platforminfo.yaml"));
    assertThat(cluster.kubectl("get", "platforminfos").output())
        .contains("PLANNEDMAINTENANCESTATE", "platforminfo-sample");
    cluster
        .kubectl(
            "create",
            "clusterrolebinding",
            "see",
            "--clusterrole=notifymaintenance-viewer-role",
            "--user=viewer")
        .output();
    cluster
        .kubectl("create", "clusterrolebinding", "edit-all", "--clusterrole=edit", "--user=editor")
        .output();
    eventually(() -> may("viewer", "list", "notifymaintenances"));
    assertThat(may("viewer", "create", "notifymaintenances")).isFalse();
    assertThat(may("viewer", "list", "platforminfos")).isFalse();
    eventually(() -> may("editor", "create", "notifymaintenances"));
    eventually(() -> may("editor", "delete", "platforminfos"));
    assertThat(cluster.kubectl("kustomize", DEPLOY.resolve("pika").toString()).output())
        .contains("kind: ServiceMonitor", "name: controller-manager-metrics-monitor")
        .contains("control-plane: controller-manager", "name: pika-server-cert")
        .doesNotContain("insecureSkipVerify");
  }

  private boolean may(String user, String verb, String resource) {
    return cluster
        .kubectl("auth", "can-i", verb, resource + ".ngn2.nvidia.com", "-A", "--as=" + user)
        .standardOutput()
        .startsWith("yes");
  }
}
