package dev.drydock.app.lifecycle;

import static dev.drydock.app.operator.TestOperators.SYSTEM;
import static dev.drydock.app.operator.TestOperators.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.Drydock;
import dev.drydock.app.DrydockTest;
import dev.drydock.app.operator.TestOperators;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.EstablishedDefinitions;
import dev.drydock.testbed.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes drained and given back by LifecycleEvents, with every program a process of its own. */
@ClusterTest
class LifecycleIT {
  /** With its group: kubectl remembers for hours that there was only one. */
  private static final String EVENTS = "lifecycleevents." + LifecycleNames.COMPAT_GROUP;

  private final ControlPlane cluster;
  private final String namespace;
  private final String node;
  private final SimulatedKubelets kubelets;
  private final Path folder;
  private final TestOperators operators;
  private @Nullable Process agent;

  LifecycleIT(ControlPlane cluster, TestNamespace namespace, @TempDir Path folder) {
    this.cluster = cluster;
    this.namespace = namespace.name();
    this.node = namespace.name() + "-1";
    this.folder = folder;
    this.operators = new TestOperators(cluster, folder);
    this.kubelets = SimulatedKubelets.start(cluster.client());
  }

  @BeforeEach
  void prepare() throws IOException {
    operators.define();
    apply(drydock("lifecycle", "crds").out());
    EstablishedDefinitions.await(cluster.client());
    kubelets.register(node, NodeTemplate.DEFAULT);
    eventually(() -> cluster.client().nodes().withName(node).get() != null);
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (agent != null) {
      agent.destroy();
      agent.waitFor();
    }
    operators.close();
    cluster.client().nodes().withName(node).delete();
    kubelets.close();
  }

  private String kubectl(String... arguments) {
    return cluster.kubectl(arguments).output();
  }

  private void apply(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("object.yaml"), yaml);
    kubectl("apply", "--server-side", "-f", file.toString());
  }

  private DrydockTest.Outcome drydock(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString()));
    return DrydockTest.run(all.toArray(String[]::new));
  }

  /** By the command line that the driver always had. */
  private void startAgent() throws IOException {
    Path sockets = Files.createTempDirectory("slm");
    cluster.beforeStop("agent", "rm -rf '" + sockets + "'");
    agent =
        cluster.startComponent(
            "agent-" + node,
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                // it lives for seconds only
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Drydock.class.getName(),
                "lifecycle",
                "driver",
                "kubelet-plugin",
                "--kubeconfig=" + cluster.kubeconfig(),
                "--node-name=" + node,
                "--datadir=" + sockets.resolve("p"),
                "--plugin-registration-path=" + sockets.resolve("r"),
                "--metrics-bind-address=0",
                "-v=5"),
            Map.of("NAMESPACE", namespace));
  }

  private String agentLog() throws IOException {
    return Files.readString(cluster.logs().resolve("agent-" + node + ".log"));
  }

  private boolean isCordoned() {
    return Boolean.TRUE.equals(
        cluster.client().nodes().withName(node).get().getSpec().getUnschedulable());
  }

  private String reason() {
    return kubectl(
        "get",
        "node",
        node,
        "-o",
        "jsonpath={.status.conditions[?(@.type==\"LifecycleTransition\")].reason}");
  }

  @Test
  void theCommandsFollowTheirEventsToTheEnd() throws IOException {
    startAgent();

    DrydockTest.Outcome drain = drydock("lifecycle", "drain", node);

    assertThat(drain.exitCode()).as(drain.err()).isZero();
    assertThat(drain.out()).isEqualTo("node/" + node + " drained\n");
    assertThat(drain.err()).contains("lifecycleevent/drain-" + node + " Claimed");
    assertThat(isCordoned()).isTrue();
    assertThat(reason()).isEqualTo("drain-complete");

    DrydockTest.Outcome uncordon = drydock("lifecycle", "uncordon", node, "-o", "json");

    assertThat(uncordon.exitCode()).as(uncordon.err()).isZero();
    assertThat(uncordon.out()).contains("\"outcome\" : \"Succeeded\"");
    assertThat(isCordoned()).isFalse();
    assertThat(reason()).isEqualTo("maintenance-complete");
    assertThat(drydock("history", node).out())
        .contains("LifecycleEventSucceeded", "drain-" + node + ": drain-complete");
    assertThat(kubectl("get", EVENTS)).doesNotContain(node);

    Process running = requireNonNull(agent);
    running.destroy();
    eventually(() -> !running.isAlive());
    assertThat(agentLog()).contains("released the Lease").doesNotContain("ERROR");
  }

  @Test
  void anEventThatNobodyClaimsFailsAndTheCommandSaysSo() throws IOException {
    operators.start(
        "only", SYSTEM, operators.kubeconfigOfTheManifest(), "--lifecycle-unclaimed-after=2s");

    DrydockTest.Outcome drain = drydock("lifecycle", "drain", node);

    assertThat(drain.exitCode()).isEqualTo(1);
    assertThat(drain.err())
        .contains("node/" + node + " not drained", "no agent claims events of node " + node);
    CommandResult left = cluster.kubectl("get", EVENTS, "drain-" + node);
    assertThat(left.output()).contains("Failed", "no agent claims");
    kubectl("delete", EVENTS, "drain-" + node);
    assertThat(operators.log("only")).doesNotContain("forbidden", "ERROR");
  }

  @Test
  void aClassThatDrainsByLifecycleEventBringsTheNodeBack() throws IOException {
    startAgent();
    Path kubeconfig = operators.kubeconfigOfTheManifest();
    operators.allowJobs(namespace);
    operators.start("only", SYSTEM, kubeconfig);
    String job =
        "{job: {template: {spec: {template: {metadata: {annotations: "
            + "{\"sim.drydock.dev/complete-after\": 100ms}}, spec: "
            + "{containers: [{name: main, image: none}]}}}}}}";
    apply(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: %1$s}
        spec:
          drain: {lifecycleEvent: {transitionName: drain.slm.k8s.io}}
          maintenance: %2$s
          validation: %2$s
        """
            .formatted(namespace, job));

    DrydockTest.Outcome maintained =
        drydock("maintain", node, "--class", namespace, "--id", "fw", "-n", namespace);

    assertThat(maintained.exitCode()).as(maintained.err()).isZero();
    assertThat(isCordoned()).isFalse();
    assertThat(drydock("history", node).out()).contains("LifecycleEventSucceeded");
    assertThat(drydock("holds", node).out()).doesNotContain("lifecycle/");
    assertThat(operators.log("only")).doesNotContain("forbidden", "ERROR");
  }

  @Test
  void whatCannotBeAskedForIsSaidInOneLine() {
    assertThat(drydock("lifecycle", "drain", "no-such-node").err())
        .startsWith("error: node no-such-node does not exist")
        .hasLineCount(1);
    assertThat(drydock("lifecycle", "drain").exitCode()).isEqualTo(2);
    DrydockTest.Outcome inTime = drydock("lifecycle", "drain", node, "--timeout", "1s");
    assertThat(inTime.exitCode()).isEqualTo(1);
    assertThat(inTime.err()).contains("has not ended", "kubectl delete lifecycleevents");
    kubectl("delete", EVENTS, "drain-" + node);
  }
}
