package dev.drydock.drain.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands as a person types them, on a real API server with simulated kubelets. */
@ClusterTest
class DrainCommandsIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ControlPlane cluster;
  private final String namespace;
  private final SimulatedKubelets kubelets;

  DrainCommandsIT(ControlPlane cluster, TestNamespace namespace) {
    this.cluster = cluster;
    this.namespace = namespace.name();
    this.kubelets = SimulatedKubelets.start(cluster.client());
  }

  private String one = "";
  private String two = "";

  /** Two nodes that only the pods of this test are for. */
  @BeforeEach
  void registerNodes() {
    one = namespace + "-one";
    two = namespace + "-two";
    NodeTemplate own = NodeTemplate.DEFAULT.withLabel("test", namespace);
    kubelets.register(one, own);
    kubelets.register(two, own);
    Eventually.inRealTime()
        .until(
            () ->
                Stream.of(one, two)
                    .map(node -> cluster.client().nodes().withName(node).require())
                    .allMatch(node -> node.getSpec().getTaints().isEmpty()));
  }

  @AfterEach
  void removeNodes() {
    cluster.client().nodes().withLabel("test", namespace).delete();
    kubelets.close();
  }

  @Test
  void aDrainEmptiesTheNodeAndHoldsItUntilItIsReleased() {
    deploy("web", 4);
    assertThat(podsOn(one)).isNotEmpty();

    CommandOutcome drain = drydock("drain", one, "--holder", "team/a", "--reason", "new disk");

    assertThat(drain.exitCode()).as(drain.err()).isZero();
    assertThat(drain.out())
        .startsWith("node/" + one + " cordoned\n")
        .endsWith("node/" + one + " drained\n");
    assertThat(podsOn(one)).isEmpty();
    assertThat(drydock("holds", one).out()).contains("team/a", "new disk");
    assertThat(drydock("uncordon", one).out())
        .as("somebody else's hold stays")
        .isEqualTo("node/" + one + " still held by team/a\n");
    assertThat(drydock("uncordon", one, "--holder", "team/a").out())
        .isEqualTo("node/" + one + " uncordoned\n");
    assertThat(drydock("holds", one).out()).isEmpty();
  }

  @Test
  void aPlanTouchesNothingAndSaysWhenItCanNeverBe() throws IOException {
    deploy("guarded", 2);
    kubectl("create", "pdb", "guarded", "--selector=app=guarded", "--min-available=100%");
    awaitBudget("guarded");

    CommandOutcome plan = drydock("plan", "-l", "test=" + namespace, "-o", "json");

    assertThat(plan.exitCode()).as(plan.err()).isEqualTo(3);
    JsonNode plans = JSON.readTree(plan.out());
    assertThat(plans).hasSize(2);
    assertThat(plans.findValuesAsText("reason")).contains("DisruptionBudget");
    assertThat(drydock("plan", one).out()).contains("In its current state it can never drain.");
    assertThat(drydock("holds", one, two).out()).isEmpty();
    assertThat(podsOn(one).size() + podsOn(two).size()).isEqualTo(2);
  }

  @Test
  void podsThatNothingBringsBackStopTheDrainUnlessForced() {
    kubectl("run", "lonely", "--image=x", "--overrides={\"spec\":{\"nodeName\":\"" + one + "\"}}");
    Eventually.inRealTime().until(() -> !podsOn(one).isEmpty());

    CommandOutcome refused = drydock("drain", one);

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .contains("cannot delete Pods that declare no controller (use --force to override)");
    assertThat(podsOn(one)).hasSize(1);
    assertThat(drydock("drain", one, "--dry-run", "--force").out())
        .contains("evicting pod " + namespace + "/lonely (dry run)");
    assertThat(podsOn(one)).hasSize(1);
    assertThat(drydock("drain", one, "--force").exitCode()).isZero();
    assertThat(podsOn(one)).isEmpty();
  }

  /** kubectl would wait for ever for pods that it only pretends to delete. */
  @Test
  void theServerIsAskedAboutDeletionsWithoutDeleting() {
    deploy("guarded", 2);
    kubectl("create", "pdb", "guarded", "--selector=app=guarded", "--min-available=100%");
    awaitBudget("guarded");

    CommandOutcome evict = drydock("drain", "-l", "test=" + namespace, "--dry-run=server");
    CommandOutcome delete =
        drydock("drain", "-l", "test=" + namespace, "--dry-run=server", "--disable-eviction");

    assertThat(evict.exitCode()).isEqualTo(1);
    assertThat(evict.err()).contains("the server would refuse now: " + namespace + "/guarded-");
    assertThat(delete.exitCode()).as(delete.err()).isZero();
    assertThat(delete.out()).contains("deleting pod " + namespace + "/guarded-");
    assertThat(podsOn(one).size() + podsOn(two).size()).isEqualTo(2);
    assertThat(drydock("holds", one, two).out()).isEmpty();
  }

  /** kubectl tells of data that is lost only as long as nothing else is to be told of the pod. */
  @Test
  void dataThatIsLostIsToldOnceInEveryFormOfOutput() throws IOException {
    kubectl(
        "run",
        "scratch",
        "--image=x",
        "--overrides={\"spec\":{\"nodeName\":\"%s\",\"volumes\":[{\"name\":\"d\",\"emptyDir\":{}}]}}"
            .formatted(one));
    Eventually.inRealTime().until(() -> !podsOn(one).isEmpty());

    String plain =
        drydock("drain", one, "--dry-run=client", "--delete-emptydir-data", "--force").err();
    CommandOutcome json = drydock("drain", one, "--delete-emptydir-data", "--force", "-o", "json");

    assertThat(plain).containsOnlyOnce("Warning: ");
    List<JsonNode> events = events(json);
    assertThat(events)
        .extracting(event -> event.path("event").asText())
        .containsOnlyOnce("warning", "gone", "ended")
        .contains("request", "progress");
    assertThat(events.toString()).doesNotContain("NotObserved");
  }

  /** Times count from the command, however long its holder has held the node. */
  @Test
  void aTimeoutCountsFromTheCommand() {
    kubectl(
        "run",
        "slow",
        "--image=x",
        "--annotations=sim.drydock.dev/stop-after=grace",
        "--overrides={\"spec\":{\"nodeName\":\"%s\",\"terminationGracePeriodSeconds\":600}}"
            .formatted(one));
    Eventually.inRealTime().until(() -> !podsOn(one).isEmpty());
    drydock("cordon", one);

    CommandOutcome first = drydock("drain", one, "--force", "--timeout=5s");
    kubectl("annotate", "--overwrite", "pod/slow", "sim.drydock.dev/stop-after=0s");
    CommandOutcome second = drydock("drain", one, "--force", "--timeout=3m");

    assertThat(first.exitCode()).isEqualTo(1);
    assertThat(first.err().lines().toList().getLast())
        .isEqualTo(
            "error: node/%s is cordoned, but 1 pod is left, still stopping: %s/slow; next: drain again with more time"
                .formatted(one, namespace));
    assertThat(second.exitCode()).as(second.err()).isZero();
    assertThat(second.out()).startsWith("node/" + one + " already cordoned\n");
  }

  @Test
  void completionOffersTheNodesOfTheCluster() {
    CommandOutcome offered =
        CommandOutcome.run(
            "__complete", "drain", one, "--kubeconfig", cluster.kubeconfig().toString(), namespace);

    assertThat(offered.out().lines()).containsExactly(two, ":4");
  }

  @Test
  void programsFollowADrainAsAStreamOfObjects() throws IOException {
    deploy("web", 4);

    CommandOutcome drain =
        drydock(
            "drain", "-l", "test=" + namespace, "--parallel", "1", "-o", "json", "--timeout", "5m");

    assertThat(drain.exitCode()).as(drain.err()).isZero();
    List<String> ended = new ArrayList<>();
    for (JsonNode event : events(drain)) {
      if (event.path("event").asText().equals("ended")) {
        ended.add(event.path("node").asText() + " " + event.path("outcome").asText());
      }
    }
    assertThat(ended).containsExactlyInAnyOrder(one + " DONE", two + " DONE");
  }

  @Test
  void cordonSaysWhoAndWhy() throws IOException {
    CommandOutcome cordon = drydock("cordon", one, "--reason", "look at the fan");

    assertThat(cordon.out()).isEqualTo("node/" + one + " cordoned\n");
    JsonNode hold = JSON.readTree(drydock("holds", one, "-o", "json").out()).get(0);
    assertThat(hold.path("reason").asText()).isEqualTo("look at the fan");
    assertThat(hold.path("holder").asText()).startsWith("user/");
    assertThat(drydock("uncordon", one, "--force").out())
        .isEqualTo("node/" + one + " uncordoned\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "drain", "cordon", "uncordon", "holds"})
  void anUnknownNodeIsNamed(String command) {
    CommandOutcome outcome = drydock(command, "no-such-node");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().lines())
        .containsExactly("error: node no-such-node does not exist; see: kubectl get nodes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "drain", "cordon", "uncordon", "holds"})
  void whoeverMayNotIsTold(String command) {
    CommandOutcome outcome =
        CommandOutcome.run(command, one, "--kubeconfig", cluster.kubeconfigFor("jane").toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .startsWith("error: missing permission: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "drain", "cordon", "uncordon", "holds"})
  void aServerThatIsNotThereIsTold(String command, @TempDir Path folder) throws IOException {
    Path nobody = folder.resolve("nobody.kubeconfig");
    Files.writeString(
        nobody,
        Files.readString(cluster.kubeconfig()).replace(cluster.server(), "https://127.0.0.1:1"));

    CommandOutcome outcome = CommandOutcome.run(command, one, "--kubeconfig", nobody.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .startsWith("error: cannot reach the API server");
  }

  @Test
  void anUncordonByHandShowsInTheHolds() {
    drydock("cordon", one);
    kubectl("uncordon", one);

    assertThat(drydock("holds", one).out()).contains("void, the node was uncordoned");
  }

  /** On the nodes of this test only, and no longer there once they are cordoned. */
  private void deploy(String name, int replicas) {
    kubectl("create", "deployment", name, "--image=x", "--replicas=" + replicas);
    kubectl(
        "patch",
        "deployment",
        name,
        "--patch",
        "{\"spec\":{\"template\":{\"spec\":{\"nodeSelector\":{\"test\":\"%s\"}}}}}"
            .formatted(namespace));
    kubectl("rollout", "status", "deployment/" + name, "--timeout=180s");
    Eventually.inRealTime().until(() -> podsOn(one).size() + podsOn(two).size() == replicas);
  }

  private void awaitBudget(String name) {
    Eventually.inRealTime()
        .until(
            () ->
                kubectl("get", "pdb", name, "-o", "jsonpath={.status.currentHealthy}").equals("2"));
  }

  private List<String> podsOn(String node) {
    return cluster
        .client()
        .pods()
        .inNamespace(namespace)
        .withField("spec.nodeName", node)
        .list()
        .getItems()
        .stream()
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }

  private static List<JsonNode> events(CommandOutcome drain) throws IOException {
    List<JsonNode> events = new ArrayList<>();
    for (String line : drain.out().lines().toList()) {
      events.add(JSON.readTree(line));
    }
    return events;
  }

  private String kubectl(String... words) {
    return cluster
        .kubectl(Stream.concat(Stream.of("-n", namespace), Stream.of(words)).toArray(String[]::new))
        .output();
  }

  private CommandOutcome drydock(String... words) {
    return CommandOutcome.run(
        Stream.concat(Stream.of(words), Stream.of("--kubeconfig", cluster.kubeconfig().toString()))
            .toArray(String[]::new));
  }
}
