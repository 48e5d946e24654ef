package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.DEPLOY;
import static dev.drydock.app.operator.TestOperators.SHORT_LEASE;
import static dev.drydock.app.operator.TestOperators.SYSTEM;
import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator and a slinky drainer as processes with the rights of their manifests, in one cluster.
 * The API server's audit log says who has evicted and deleted which pods.
 */
@ClusterTest
class OperatorBesideSlinkyDrainerIT {
  private static final String WORKER = "nvsentinel-demo-worker";
  private static final String OTHER = "other";
  private static final String OPERATOR = "system:serviceaccount:drydock-system:drydock-operator";
  private static final String DRAINER = "system:serviceaccount:nvsentinel:slinky-drainer";
  private static final String AUDIT_POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: [RequestReceived]
      rules:
      - level: Metadata
        verbs: [create, delete, deletecollection]
        resources: [{group: "", resources: [pods, pods/eviction]}]
      """;

  /** As people write them, and as the node drainer does. */
  private static final String REQUESTS =
      """
      apiVersion: nvsentinel.nvidia.com/v1alpha1
      kind: DrainRequest
      metadata: {name: names-nobody, namespace: nvsentinel}
      spec: {nodeName: nvsentinel-demo-worker, reason: Manual drain test}
      ---
      apiVersion: nvsentinel.nvidia.com/v1alpha1
      kind: DrainRequest
      metadata:
        name: names-custom
        namespace: nvsentinel
        annotations: {drydock.dev/drainer: custom}
      spec: {nodeName: nvsentinel-demo-worker}
      ---
      apiVersion: nvsentinel.nvidia.com/v1alpha1
      kind: DrainRequest
      metadata: {name: names-slinky-drainer, namespace: nvsentinel}
      spec: {nodeName: nvsentinel-demo-worker, drainer: slinky-drainer}
      """;

  private static final String BUILTIN =
      """
      apiVersion: nvsentinel.nvidia.com/v1alpha1
      kind: DrainRequest
      metadata: {name: names-builtin, namespace: nvsentinel}
      spec: {nodeName: other, drainer: builtin, policy: {force: true}}
      """;

  private final Path audit;
  private final ControlPlane cluster;
  private final TestOperators operators;
  private final SimulatedKubelets kubelets;

  OperatorBesideSlinkyDrainerIT(@TempDir Path folder) throws IOException {
    audit = folder.resolve("audit.log");
    Path policy = Files.writeString(folder.resolve("audit-policy.yaml"), AUDIT_POLICY);
    cluster =
        ControlPlane.start(
            ControlPlane.Options.defaults()
                .withFlags(
                    "kube-apiserver",
                    "--audit-policy-file=" + policy,
                    "--audit-log-path=" + audit));
    operators = new TestOperators(cluster, folder);
    kubelets = SimulatedKubelets.start(cluster.client());
  }

  @AfterEach
  void stop() {
    operators.close();
    kubelets.close();
    cluster.close();
  }

  private String kubectl(String... arguments) {
    return cluster.kubectl(arguments).output();
  }

  private void apply(String yaml) {
    cluster.kubectlWithInput(yaml, "apply", "-f", "-").output();
  }

  /** Without the Deployment: the process runs here. */
  private static String rights(String file) throws IOException {
    return Stream.of(Files.readString(DEPLOY.resolve(file)).split("(?m)^---$", -1))
        .filter(document -> !document.contains("kind: Deployment"))
        .collect(Collectors.joining("---\n"));
  }

  private void node(String name) {
    kubelets.register(name, NodeTemplate.DEFAULT);
    eventually(() -> cluster.client().nodes().withName(name).get() != null);
  }

  private void pod(String name, String namespace, String node) {
    apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: %s}
        spec: {nodeName: %s, containers: [{name: main, image: none}]}
        """
            .formatted(name, namespace, node));
    kubectl("wait", "pod", name, "-n", namespace, "--for=condition=Ready", "--timeout=60s");
  }

  private void busy(String pod, boolean busy) {
    kubectl(
        "patch",
        "pod",
        pod,
        "-n",
        "slinky",
        "--subresource=status",
        "-p",
        "{\"status\":{\"conditions\":[{\"type\":\"SlurmNodeStateAllocated\",\"status\":\"%s\"}]}}"
            .formatted(busy ? "True" : "False"));
  }

  /** The reason of {@code DrainComplete}; empty without one. */
  private String answer(String request) {
    return kubectl(
        "get",
        "drainrequest",
        request,
        "-n",
        "nvsentinel",
        "-o",
        "jsonpath={.status.conditions[?(@.type==\"DrainComplete\")].reason}");
  }

  /** What was granted, like {@code create pods/eviction slinky/one}. */
  private List<String> done(String user, String resource) throws IOException {
    List<String> all = new ArrayList<>();
    for (String line : Files.readAllLines(audit)) {
      JsonNode event = new ObjectMapper().readTree(line);
      JsonNode object = event.path("objectRef");
      String subresource = object.path("subresource").asText();
      String what =
          object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource);
      if (event.path("user").path("username").asText().matches(user)
          && what.equals(resource)
          && event.path("responseStatus").path("code").asInt() / 100 == 2) {
        all.add(
            "%s %s/%s"
                .formatted(
                    event.path("verb").asText(),
                    object.path("namespace").asText(),
                    object.path("name").asText()));
      }
    }
    return all;
  }

  @Test
  void theEngineEvictsNothingThatTheSlinkyDrainerIsAskedFor() throws Exception {
    operators.define();
    kubectl("apply", "--server-side", "-f", DEPLOY.resolve("slurm/namespace.yaml").toString());
    for (String component : List.of("slinky-drainer", "mock-slurm-operator")) {
      apply(rights("slurm/" + component + ".yaml"));
    }
    node(WORKER);
    node(OTHER);
    Path rights = operators.kubeconfigOfTheManifest();
    operators.start("first", SYSTEM, rights, SHORT_LEASE);
    operators.startCommand(
        "slinky-drainer",
        "nvsentinel",
        operators.kubeconfigOf("slinky-drainer", "nvsentinel"),
        List.of("slinky-drainer", "--metrics-bind-address=0", "--health-probe-bind-address=0"));
    operators.startCommand(
        "mock-slurm-operator",
        "nvsentinel",
        operators.kubeconfigOf("mock-slurm-operator", "nvsentinel"),
        List.of("mock-slurm", "--health-probe-bind-address=0"));
    pod("one", "slinky", WORKER);
    pod("two", "slinky", WORKER);
    pod("plain", "default", OTHER);
    busy("one", true);
    eventually(() -> operators.log("first").contains("leading"));

    apply(REQUESTS);
    for (String request : List.of("names-nobody", "names-custom", "names-slinky-drainer")) {
      eventually(() -> answer(request).equals("WaitingForSlurm"));
    }
    // the one that takes over reads the requests anew, and shows that it has by serving its own
    operators.kill("first");
    operators.start("second", SYSTEM, rights, SHORT_LEASE);
    apply(BUILTIN);
    eventually(() -> answer("names-builtin").equals("DrainComplete"));
    assertThat(kubectl("get", "pods", "-n", "slinky", "-o", "name")).contains("pod/one", "pod/two");
    busy("one", false);
    for (String request : List.of("names-nobody", "names-custom", "names-slinky-drainer")) {
      eventually(() -> answer(request).equals("DrainComplete"));
    }

    assertThat(done(".*", "pods/eviction")).containsExactly("create default/plain");
    assertThat(done(OPERATOR, "pods")).isEmpty();
    assertThat(done(DRAINER, "pods"))
        .containsExactlyInAnyOrder("delete slinky/one", "delete slinky/two");
    assertThat(kubectl("get", "node", WORKER, "-o", "yaml"))
        .doesNotContain("drydock.dev/holds", "unschedulable: true");
    for (String operator : List.of("first", "second")) {
      assertThat(operators.log(operator)).doesNotContain("forbidden", "ERROR");
    }
  }
}
