package dev.drydock.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.FleetReader;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetObjectsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final String HEADER = "apiVersion: drydock.dev/v1alpha1\nkind: Fleet\n";

  @Test
  void nodesHaveTheirLabelsTaintsAndCapacity() {
    ObjectNode node =
        of(
                """
                pools:
                - {name: gpu, count: 1, zones: [a], gpus: 8, labels: {disk: ssd}, taints: ["x=y:NoSchedule"]}
                """,
                "Node")
            .getFirst();

    assertThat(node.at("/metadata/labels/disk").asText()).isEqualTo("ssd");
    assertThat(node.at("/metadata/labels").path("topology.kubernetes.io/zone").asText())
        .isEqualTo("a");
    assertThat(node.at("/spec/taints/0/value").asText()).isEqualTo("y");
    assertThat(node.at("/status/allocatable").path("nvidia.com/gpu").asText()).isEqualTo("8");
  }

  @Test
  void podsRunWhereTheFileSaysAndTheOthersAreSpread() {
    List<ObjectNode> pods =
        of(
            """
            pools: [{name: cpu, count: 4}]
            workloads: [{name: web, replicas: 5, placed: {cpu-2: 2}}]
            """,
            "Pod");

    assertThat(pods).hasSize(5);
    assertThat(pods.stream().filter(pod -> nodeOf(pod).equals("cpu-2"))).hasSize(2);
    assertThat(pods.stream().map(FleetObjectsTest::nodeOf).distinct()).hasSize(4);
    assertThat(pods)
        .allSatisfy(
            pod -> {
              assertThat(pod.at("/status/phase").asText()).isEqualTo("Running");
              assertThat(pod.at("/metadata/ownerReferences/0/kind").asText())
                  .isEqualTo("ReplicaSet");
            });
  }

  @Test
  void podsGoWhereTheyFitAndMayBe() {
    String fleet =
        """
        pools:
        - {name: cpu, count: 2, capacity: {cpu: 4}}
        - {name: gpu, count: 2, gpus: 2, taints: ["gpu=yes:NoSchedule"]}
        workloads:
        - {name: big, replicas: 3, pools: [cpu], requests: {cpu: 3}}
        - {name: train, kind: Bare, replicas: 3, pools: [gpu], gpus: 1}
        - {name: agent, kind: DaemonSet}
        """;

    List<ObjectNode> pods = of(fleet, "Pod");

    assertThat(named(pods, "big")).as("the third finds no room").hasSize(2);
    assertThat(named(pods, "train")).allMatch(pod -> nodeOf(pod).startsWith("gpu"));
    assertThat(named(pods, "agent")).as("keeps off tainted nodes").hasSize(2);
  }

  @Test
  void whoNamesAPoolToleratesItsTaintsAndStaysThere() {
    ObjectNode set =
        of(
                """
                pools: [{name: gpu, count: 1, taints: ["gpu=yes:NoSchedule"]}]
                workloads: [{name: w, pools: [gpu], nodes: "disk=ssd", starts: 5s..9s, stops: never}]
                """,
                "ReplicaSet")
            .getFirst();

    JsonNode spec = set.at("/spec/template/spec");
    assertThat(spec.at("/tolerations/0/key").asText()).isEqualTo("gpu");
    JsonNode expressions =
        spec.at(
            "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                + "/nodeSelectorTerms/0/matchExpressions");
    assertThat(expressions).hasSize(2);
    JsonNode annotations = set.at("/spec/template/metadata/annotations");
    assertThat(annotations.path("sim.drydock.dev/ready-after").asText()).isEqualTo("5s..9s");
    assertThat(annotations.path("sim.drydock.dev/refuse-stop").asText()).isEqualTo("true");
  }

  @Test
  void copiesOfAWorkloadAndItsBudgetHaveANamespaceEach() {
    List<ObjectNode> budgets =
        of(
            """
            pools: [{name: cpu, count: 1}]
            workloads: [{name: w, namespace: team, copies: 2}]
            budgets:
            - {workload: w, namespace: team, maxUnavailable: 1}
            - {name: p, selector: app=w, minAvailable: 90%}
            """,
            "PodDisruptionBudget");

    assertThat(budgets)
        .extracting(budget -> budget.at("/metadata/namespace").asText())
        .containsExactly("team-1", "team-2", "default");
    assertThat(budgets.get(0).at("/spec/maxUnavailable").isInt()).isTrue();
    assertThat(budgets.get(2).at("/spec/minAvailable").asText()).isEqualTo("90%");
  }

  @Test
  void theSameSeedGivesTheSameObjects() {
    String fleet =
        "pools: [{name: cpu, count: 20}]\nworkloads: [{name: w, replicas: 7}]\nseed: 3\n";

    assertThat(of(fleet, "Pod")).isEqualTo(of(fleet, "Pod"));
    assertThat(of(fleet, "Pod")).isNotEqualTo(of(fleet.replace("seed: 3", "seed: 4"), "Pod"));
  }

  private static List<ObjectNode> of(String text, String kind) {
    Fleet fleet = FleetReader.read("fleet", HEADER + text);
    return FleetObjects.of(fleet, START).stream()
        .filter(object -> object.path("kind").asText().equals(kind))
        .toList();
  }

  private static List<ObjectNode> named(List<ObjectNode> pods, String workload) {
    return pods.stream()
        .filter(pod -> pod.at("/metadata/name").asText().startsWith(workload))
        .toList();
  }

  private static String nodeOf(ObjectNode pod) {
    return pod.at("/spec/nodeName").asText();
  }
}
