package dev.drydock.health.drainer;

import static dev.drydock.health.drainer.NodeDrainerFixture.IMMEDIATE;
import static dev.drydock.health.drainer.NodeDrainerFixture.fault;
import static dev.drydock.health.drainer.NodeDrainerFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.drainer.NodeDrainerFixture.Drainer;
import dev.drydock.health.quarantine.QuarantineController;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.EstablishedDefinitions;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On the real API server, with the rights of the manifest and not one more. */
@ClusterTest
class NodeDrainerOnRealClusterIT {
  private static final Path DEPLOY = Path.of("..", "deploy", "health");
  private static final String NAMESPACE = "nvsentinel";
  private static final String ACCOUNT = "system:serviceaccount:" + NAMESPACE + ":node-drainer";

  /** A kind of another group, which may come and go. */
  private static final String OTHER_KIND =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: nodedrains.drainer-it.example.com}
      spec:
        group: drainer-it.example.com
        scope: Namespaced
        names: {kind: NodeDrain, plural: nodedrains, singular: nodedrain}
        versions:
        - name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, properties: {nodeName: {type: string}}}
                status: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  private static final String OTHER_RIGHTS =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: node-drainer-other}
      rules:
      - apiGroups: [drainer-it.example.com]
        resources: [nodedrains]
        verbs: [get, list, watch, create, patch, delete]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: node-drainer-other}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: node-drainer-other}
      subjects: [{kind: ServiceAccount, name: node-drainer, namespace: nvsentinel}]
      """;

  private final TestCluster cluster;
  private final NodeDrainerFixture fixture;

  NodeDrainerOnRealClusterIT(ControlPlane controlPlane) {
    cluster = TestCluster.real(controlPlane);
    fixture = new NodeDrainerFixture(cluster, NAMESPACE);
  }

  /** The account and its rights, and nothing that would run. */
  @BeforeEach
  void applyRights() throws IOException {
    fixture.define(NodeDrainerFixture.CRD);
    String rights =
        Arrays.stream(
                (Files.readString(DEPLOY.resolve("namespace.yaml"))
                        + "---\n"
                        + Files.readString(DEPLOY.resolve("node-drainer.yaml")))
                    .split("(?m)^---\n", -1))
            .filter(
                each ->
                    each.matches(
                        "(?s).*kind: (Namespace|ServiceAccount|(Cluster)?Role(Binding)?)\n.*"))
            .collect(Collectors.joining("---\n"));
    apply(rights);
    apply(OTHER_RIGHTS);
    // the API server takes a moment to know new rights, and watches that are denied wait long
    eventuallyMayList("nodes");
    eventuallyMayList("drainrequests");
  }

  private void eventuallyMayList(String what) {
    cluster
        .eventually()
        .until(
            () ->
                cluster.kubectl("", "auth", "can-i", "list", what, "--as=" + ACCOUNT).succeeded());
  }

  @AfterEach
  void close() {
    var _ =
        cluster.kubectl(
            "", "delete", "crd", "nodedrains.drainer-it.example.com", "--ignore-not-found");
    fixture.close();
  }

  private void apply(String yaml) {
    cluster.kubectl(yaml, "apply", "--server-side", "-f", "-").output();
  }

  private Drainer drainer(String toml) {
    Config config = cluster.config();
    config.setImpersonateUsername(ACCOUNT);
    return fixture.drainer(
        toml, ProcessOptions.of(RequestInterceptor.NONE).withRights(config), false);
  }

  private void eventually(String id, String drain) {
    fixture.eventuallyDrain(id, drain);
  }

  private GenericKubernetesResource requestFor(String node) {
    return cluster
        .eventually()
        .until(
            () ->
                fixture.requests().stream()
                    .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
                    .filter(
                        each -> node.equals(each.<Map<String, Object>>get("spec").get("nodeName")))
                    .findFirst()
                    .orElse(null),
            Objects::nonNull);
  }

  @Test
  void nodesAreDrainedByTheEngineAndByOthers() {
    String plain = fixture.addNode();
    String slurm = fixture.addNode();
    cluster.kubectl("", "label", "node", slurm, "scheduler=slurm").output();
    fixture.pod(plain, "web");
    fixture.pod(slurm, "job");
    apply(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: guard, namespace: apps}
        spec:
          minAvailable: 1
          selector: {matchLabels: {app: web}}
        """);
    String toml = fixture.published() + "nodeSelector = \"scheduler=slurm\"\n" + IMMEDIATE;
    try (TestProcess health = cluster.process();
        QuarantineController _ = fixture.quarantines(health);
        Drainer drainer = drainer(toml)) {
      String blocked = fixture.send(fault(plain));
      cluster.eventually().until(() -> fixture.message(blocked).contains("budget apps/guard"));
      assertThat(fixture.state(plain)).isEqualTo("draining");
      cluster.eventually().until(() -> !fixture.events(plain, "EvictionBlocked").isEmpty());
      cluster.kubectl("", "delete", "pdb", "guard", "-n", "apps").output();
      eventually(blocked, "Succeeded");
      assertThat(fixture.pods(plain)).isEmpty();
      assertThat(fixture.state(plain)).isEqualTo("drain-succeeded");

      String message = "GPU \"0\" has\nfallen: {{ off }} the bus";
      String left = fixture.send(fault(slurm).message(message));
      GenericKubernetesResource request = requestFor(slurm);
      assertThat(request.<Map<String, Object>>get("spec"))
          .containsEntry("errorCode", List.of("79"))
          .containsEntry("entitiesImpacted", List.of(Map.of("type", "GPU", "value", "0")))
          .containsEntry("reason", message);
      assertThat(fixture.annotations(request)).containsEntry("drydock.dev/drainer", "custom");
      cluster.client().resource(request).delete();
      cluster
          .eventually()
          .until(
              () ->
                  !requestFor(slurm).getMetadata().getUid().equals(request.getMetadata().getUid()));
      fixture.report(requestFor(slurm), "Complete", "all pods are gone");
      eventually(left, "Succeeded");
      cluster.eventually().until(() -> fixture.requests().isEmpty());
      assertThat(fixture.pods(slurm)).containsExactly("apps/job");

      eventually(fixture.send(recovery(slurm)), "Succeeded");
      cluster.eventually().until(() -> fixture.state(slurm).isEmpty());
      String again = fixture.send(fault(slurm));
      requestFor(slurm);
      fixture.send(recovery(slurm));
      eventually(again, "Cancelled");
      cluster.eventually().until(() -> fixture.requests().isEmpty());
      cluster
          .eventually()
          .untilAsserted(() -> assertThat(drainer.process().kube().health().degraded()).isEmpty());
    }
  }

  @Test
  void aKindThatIsRemovedAndPutBack() {
    apply(OTHER_KIND);
    fixture.template("spec: {nodeName: {{ .HealthEvent.NodeName }}}");
    String node = fixture.addNode();
    String toml =
        fixture
            .published()
            .replace("nvsentinel.nvidia.com", "drainer-it.example.com")
            .replace("v1alpha1", "v1")
            .replace("DrainRequest", "NodeDrain");
    EstablishedDefinitions.await(cluster.client());
    eventuallyMayList("nodedrains.drainer-it.example.com");
    try (TestProcess health = cluster.process();
        QuarantineController _ = fixture.quarantines(health);
        Drainer _ = drainer(toml)) {
      String id = fixture.send(fault(node));
      cluster.eventually().until(() -> drains().size() == 1);

      cluster.kubectl("", "delete", "crd", "nodedrains.drainer-it.example.com").output();
      eventually(id, "Failed");
      assertThat(fixture.message(id)).contains("does not serve NodeDrain");
      cluster.eventually().until(() -> fixture.state(node), "drain-failed"::equals);

      apply(OTHER_KIND);
      List<GenericKubernetesResource> again =
          cluster
              .eventually()
              .atMost(Duration.ofMinutes(3))
              .until(this::drains, found -> found.size() == 1);
      fixture.report(again.getFirst(), "Complete", "done");
      eventually(id, "Succeeded");
      cluster.eventually().until(() -> fixture.state(node), "drain-succeeded"::equals);
    }
  }

  private List<GenericKubernetesResource> drains() {
    return cluster.kubectl("", "get", "nodedrains", "-A").succeeded()
        ? fixture.resources("drainer-it.example.com/v1", "NodeDrain")
        : List.of();
  }
}
