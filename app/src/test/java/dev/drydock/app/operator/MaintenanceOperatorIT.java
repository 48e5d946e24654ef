package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.SYSTEM;
import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Classes and campaigns by an operator process that has the rights of its manifest, and no more.
 */
@ClusterTest
class MaintenanceOperatorIT {
  private static final String GOOD_JOB =
      "{job: {template: {spec: {template: {metadata: {annotations: "
          + "{\"sim.drydock.dev/complete-after\": 100ms}}, spec: "
          + "{containers: [{name: main, image: none}]}}}}}}";
  private static final String BAD_JOB =
      "{job: {template: {spec: {activeDeadlineSeconds: 1, template: {spec: "
          + "{containers: [{name: main, image: none}]}}}}}}";

  private final ControlPlane cluster;
  private final String namespace;
  private final SimulatedKubelets kubelets;
  private final Path folder;
  private final TestOperators operators;
  private final List<String> nodes = new ArrayList<>();

  MaintenanceOperatorIT(ControlPlane cluster, TestNamespace namespace, @TempDir Path folder) {
    this.cluster = cluster;
    this.namespace = namespace.name();
    this.folder = folder;
    this.operators = new TestOperators(cluster, folder);
    this.kubelets = SimulatedKubelets.start(cluster.client());
  }

  @BeforeEach
  void prepare() throws IOException {
    operators.define();
    operators.allowJobs(namespace);
  }

  @AfterEach
  void stop() {
    operators.close();
    cluster.kubectl("delete", "maintenancecampaign", namespace, "--ignore-not-found");
    var maintenances = cluster.client().resources(NotifyMaintenance.class).inNamespace(namespace);
    for (NotifyMaintenance left : maintenances.list().getItems()) {
      left.getMetadata().setFinalizers(List.of());
      maintenances.resource(left).update();
    }
    nodes.forEach(node -> cluster.client().nodes().withName(node).delete());
    kubelets.close();
  }

  private String node(String suffix) {
    String name = namespace + "-" + suffix;
    nodes.add(name);
    kubelets.register(name, NodeTemplate.DEFAULT.withLabel("test", namespace));
    eventually(() -> cluster.client().nodes().withName(name).get() != null);
    return name;
  }

  private String kubectl(String... arguments) {
    return cluster.kubectl(arguments).output();
  }

  private void apply(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("object.yaml"), yaml);
    kubectl("apply", "-f", file.toString());
  }

  private String maintenanceClass(String maintenance, String validation) throws IOException {
    apply(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: %s}
        spec:
          drain: {builtin: {policy: {force: true}}}
          maintenance: %s
          validation: %s
        """
            .formatted(namespace, maintenance, validation));
    return namespace;
  }

  private void maintain(String node, String maintenanceClass) throws IOException {
    apply(
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: one, namespace: %s}
        spec: {nodeObject: %s, maintenanceID: fw, maintenanceType: planned, maintenanceClass: %s}
        """
            .formatted(namespace, node, maintenanceClass));
  }

  private String state() {
    return kubectl(
        "get",
        "notifymaintenance",
        "one",
        "-n",
        namespace,
        "--ignore-not-found",
        "-o",
        "jsonpath={.status.maintenanceStatus}");
  }

  private void annotate(String annotation) {
    kubectl("annotate", "notifymaintenance", "one", "-n", namespace, annotation);
  }

  private boolean isCordoned(String node) {
    return Boolean.TRUE.equals(
        cluster.client().nodes().withName(node).get().getSpec().getUnschedulable());
  }

  private void assertNothingForbidden(String operator) throws IOException {
    assertThat(operators.log(operator)).contains("leading").doesNotContain("forbidden", "ERROR");
  }

  @Test
  void aCampaignBringsEveryNodeBack() throws Exception {
    List<String> all = List.of(node("one"), node("two"));
    String maintenanceClass = maintenanceClass(GOOD_JOB, GOOD_JOB);
    operators.start("only", SYSTEM, operators.kubeconfigOfTheManifest());
    apply(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceCampaign
        metadata: {name: %1$s}
        spec:
          nodeSelector: {matchLabels: {test: %1$s}}
          maintenanceClass: %2$s
          namespace: %1$s
          budgets: [{key: test, maxUnavailable: 1}]
        """
            .formatted(namespace, maintenanceClass));
    eventually(
        () ->
            kubectl("get", "maintenancecampaign", namespace, "-o", "jsonpath={.status.phase}")
                .equals("Completed"));

    all.forEach(node -> assertThat(isCordoned(node)).as(node).isFalse());
    assertThat(kubectl("get", "maintenancecampaign", namespace)).contains("Completed");
    assertNothingForbidden("only");
  }

  @Test
  void aFailedValidationKeepsTheNodeOutAndShowsTheLog() throws Exception {
    String node = node("one");
    operators.start("only", SYSTEM, operators.kubeconfigOfTheManifest());
    maintain(node, maintenanceClass(GOOD_JOB, BAD_JOB));
    eventually(() -> state().equals("MaintenanceIncomplete"));

    assertThat(isCordoned(node)).isTrue();
    assertThat(
            kubectl(
                "get",
                "notifymaintenance",
                "one",
                "-n",
                namespace,
                "-o",
                "jsonpath={.status.lastLogLines}"))
        .isNotEmpty();
    assertNothingForbidden("only");
  }

  /** Where the role is not bound, as it is in no namespace but one by the manifests. */
  @Test
  void aMaintenanceWhoseJobIsRefusedSaysSo() throws Exception {
    kubectl("delete", "rolebinding", "drydock-operator-jobs", "-n", namespace);
    String node = node("one");
    operators.start("only", SYSTEM, operators.kubeconfigOfTheManifest());
    maintain(node, maintenanceClass(GOOD_JOB, GOOD_JOB));
    eventually(() -> waitingFor().contains("cannot create resource \"jobs\""));
    assertThat(waitingFor())
        .contains("; run: kubectl create rolebinding drydock-operator-jobs -n ");

    assertThat(isCordoned(node)).isTrue();
    operators.allowJobs(namespace);
    eventually(() -> state().isEmpty());
    assertThat(isCordoned(node)).isFalse();
  }

  private String waitingFor() {
    return kubectl(
        "get", "notifymaintenance", "one", "-n", namespace, "-o", "jsonpath={.status.waitingFor}");
  }

  @Test
  void operatorsThatAreKilledInEveryStateAreFollowedByOthers() throws Exception {
    String node = node("one");
    String maintenanceClass = maintenanceClass("{outside: {}}", "{outside: {}}");
    Path kubeconfig = operators.kubeconfigOfTheManifest();
    operators.start("first", SYSTEM, kubeconfig, "--leader-elect=false");
    maintain(node, maintenanceClass);
    eventually(() -> state().equals("ObjectsDrained"));
    operators.kill("first");

    annotate("maintenance/maintenanceClient=complete");
    operators.start("second", SYSTEM, kubeconfig, "--leader-elect=false");
    eventually(() -> state().equals("Validating"));
    operators.kill("second");

    annotate("maintenance/validationClient=validated");
    operators.start("third", SYSTEM, kubeconfig, "--leader-elect=false");
    eventually(() -> state().isEmpty());
    eventually(() -> !isCordoned(node));
    assertNothingForbidden("first");
    assertNothingForbidden("second");
    assertNothingForbidden("third");
  }
}
