package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.SHORT_LEASE;
import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.DrydockTest;
import dev.drydock.app.DrydockTest.Outcome;
import dev.drydock.contracts.nvsentinel.DrainRequest;
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

/** The operator as processes of their own, on a real API server with simulated kubelets. */
@ClusterTest
class OperatorIT {
  private final ControlPlane cluster;
  private final String namespace;
  private final SimulatedKubelets kubelets;
  private final Path folder;
  private final TestOperators operators;

  OperatorIT(ControlPlane cluster, TestNamespace namespace, @TempDir Path folder) {
    this.cluster = cluster;
    this.folder = folder;
    this.operators = new TestOperators(cluster, folder);
    this.namespace = namespace.name();
    this.kubelets = SimulatedKubelets.start(cluster.client());
  }

  private String node = "";

  @BeforeEach
  void prepare() throws IOException {
    operators.define();
    node = namespace + "-one";
    kubelets.register(node, NodeTemplate.DEFAULT.withLabel("test", namespace));
    eventually(() -> cluster.client().nodes().withName(node).get() != null);
  }

  @AfterEach
  void stop() {
    operators.close();
    // Nobody serves it any more, so nobody would let it go.
    var requests = cluster.client().resources(DrainRequest.class).inNamespace(namespace);
    for (DrainRequest request : requests.list().getItems()) {
      request.getMetadata().setFinalizers(List.of());
      requests.resource(request).update();
    }
    cluster.client().nodes().withName(node).delete();
    kubelets.close();
  }

  private Process operator(String name, String... flags) throws IOException {
    return operators.start(name, namespace, cluster.kubeconfig(), flags);
  }

  private String log(String name) throws IOException {
    return operators.log(name);
  }

  private Outcome drydock(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString(), "-n", namespace));
    return DrydockTest.run(all.toArray(String[]::new));
  }

  private String kubectl(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("-n", namespace));
    return cluster.kubectl(all.toArray(String[]::new)).output();
  }

  /** A pod behind a budget that lets nothing go. */
  private void blockTheNode() {
    kubectl(
        "run",
        "guarded",
        "--image=x",
        "--labels=app=guarded",
        "--overrides={\"spec\":{\"nodeName\":\""
            + node
            + "\",\"terminationGracePeriodSeconds\":1}}");
    kubectl("wait", "--for=condition=Ready", "pod/guarded", "--timeout=180s");
    kubectl("create", "pdb", "guarded", "--selector=app=guarded", "--min-available=1");
  }

  private void request(String nodeName) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("request.yaml"),
            """
            apiVersion: nvsentinel.nvidia.com/v1alpha1
            kind: DrainRequest
            metadata:
              name: by-hand
            spec:
              drainer: builtin
              nodeName: %s
              policy:
                force: true
            """
                .formatted(nodeName));
    kubectl("apply", "-f", file.toString());
  }

  private String reason() {
    return kubectl(
        "get",
        "drainrequest",
        "by-hand",
        "-o",
        "jsonpath={.status.conditions[?(@.type==\"DrainComplete\")].reason}");
  }

  @Test
  void aSecondOperatorTakesOverWhenTheFirstIsKilledInTheMiddle() throws Exception {
    blockTheNode();
    Process first = operator("first", SHORT_LEASE);
    eventually(() -> log("first").contains("leading"));
    Process second = operator("second", SHORT_LEASE);
    eventually(() -> log("second").contains("the leader is first_"));
    request(node);
    eventually(() -> reason().equals("Blocked"));

    first.destroyForcibly().waitFor();
    kubectl("delete", "pdb", "guarded");

    eventually(() -> reason().equals("DrainComplete"));
    assertThat(log("second")).contains("leading");
    assertThat(kubectl("get", "drainrequests"))
        .contains("NODE", "REASON", "COMPLETE", node, "DrainComplete", "True");
    kubectl("delete", "drainrequest", "by-hand", "--timeout=180s");
    assertThat(drydock("holds").out()).doesNotContain(node);

    second.destroy();
    second.waitFor();
    assertThat(
            kubectl("get", "lease", Operator.LEASE, "-o", "jsonpath={.spec.leaseDurationSeconds}"))
        .as("an operator that is asked to stop gives the Lease back")
        .isEqualTo("1");
  }

  @Test
  void aDrainOnTheServerSideIsFollowedToItsEnd() throws Exception {
    kubectl(
        "run",
        "plain",
        "--image=x",
        "--overrides={\"spec\":{\"nodeName\":\""
            + node
            + "\",\"terminationGracePeriodSeconds\":1}}");
    kubectl("wait", "--for=condition=Ready", "pod/plain", "--timeout=180s");
    operator("only");
    String request = "drain-" + node + "-team-a";

    Outcome drain = drydock("drain", node, "--server-side", "--force", "--holder", "team/a");

    assertThat(drain.exitCode()).as(drain.err()).isZero();
    assertThat(drain.out()).isEqualTo("node/" + node + " cordoned\nnode/" + node + " drained\n");
    assertThat(drain.err())
        .contains("kubectl delete drainrequest -n " + namespace + " " + request + "\n");
    assertThat(kubectl("get", "pods", "-o", "name")).isEmpty();
    assertThat(drydock("holds", node).out()).contains("drainrequest/" + namespace + "/" + request);
    kubectl("delete", "drainrequest", request, "--timeout=180s");
    assertThat(drydock("holds", node).out()).isEmpty();
  }

  @Test
  void aDrainOnTheServerSideSaysWhyItFailed() throws Exception {
    operator("only");

    request("no-such-node");
    eventually(() -> reason().equals("NodeNotFound"));
    assertThat(
            kubectl(
                "get", "drainrequest", "by-hand", "-o", "jsonpath={.status.conditions[*].message}"))
        .contains("no-such-node");

    Outcome drain = drydock("drain", "no-such-node", "--server-side", "-o", "json");

    assertThat(drain.exitCode()).isEqualTo(1);
    assertThat(drain.err()).contains("no-such-node does not exist");
    assertThat(kubectl("get", "drainrequests", "-o", "name").lines()).hasSize(1);
    assertThat(drydock("drain", node, "--server-side", "--dry-run").exitCode()).isEqualTo(2);
  }

  @Test
  void aRefusedDrainOnTheServerSideSaysWhatToDo() throws Exception {
    kubectl("run", "plain", "--image=x", "--overrides={\"spec\":{\"nodeName\":\"" + node + "\"}}");
    kubectl("wait", "--for=condition=Ready", "pod/plain", "--timeout=180s");
    operator("only");

    Outcome drain = drydock("drain", node, "--server-side", "--holder", "team/a");

    assertThat(drain.exitCode()).isEqualTo(1);
    assertThat(drain.err())
        .contains("is cordoned, but nothing was evicted")
        .contains("use --force to override")
        .contains("kubectl delete drainrequest -n " + namespace);
    kubectl("delete", "drainrequest", "drain-" + node + "-team-a", "--timeout=180s");
  }

  @Test
  void aCordonWithAnEndIsReleasedByTheOperator() throws Exception {
    Outcome cordon = drydock("cordon", node, "--for", "1s", "--holder", "team/a");
    assertThat(cordon.out()).startsWith("node/" + node + " cordoned until ");
    assertThat(drydock("holds", node).out()).contains("team/a");

    operator("only");

    eventually(() -> drydock("holds", node).out().isEmpty());
    assertThat(drydock("cordon", node, "--for", "0s").exitCode()).isEqualTo(2);
  }

  @Test
  void theRightsOfTheManifestAreEnough() throws Exception {
    Path daemons =
        Files.writeString(
            folder.resolve("daemons.yaml"),
            """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: daemon
            spec:
              selector: {matchLabels: {app: daemon}}
              template:
                metadata: {labels: {app: daemon}}
                spec:
                  nodeSelector: {test: %s}
                  containers: [{name: main, image: x}]
            """
                .formatted(namespace));
    kubectl("apply", "-f", daemons.toString());
    kubectl("rollout", "status", "daemonset/daemon", "--timeout=180s");
    blockTheNode();
    drydock("cordon", node, "--for", "1s", "--holder", "team/a");

    operators.start("only", TestOperators.SYSTEM, operators.kubeconfigOfTheManifest());
    request(node);
    eventually(() -> reason().equals("Blocked"));
    kubectl("delete", "pdb", "guarded");
    eventually(() -> reason().equals("DrainComplete"));
    eventually(() -> !drydock("holds", node).out().contains("team/a"));
    kubectl("delete", "drainrequest", "by-hand", "--timeout=180s");

    assertThat(drydock("holds", node).out()).isEmpty();
    assertThat(kubectl("get", "pods", "-l", "app=daemon", "-o", "name").lines()).hasSize(1);
    assertThat(log("only")).contains("leading").doesNotContain("forbidden", "WARN", "ERROR");
  }
}
