package dev.drydock.drain.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.decide.Action;
import dev.drydock.drain.decide.BlockReason;
import dev.drydock.drain.decide.Decision.Status;
import dev.drydock.drain.decide.DrainPolicy;
import dev.drydock.drain.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.kube.DrainOutcome.End;
import dev.drydock.sim.kubelet.Knob;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

abstract class DrainContract extends EngineContract {
  private static final String HOLDER = "test/drain";

  private final Reports reports = new Reports();

  private DrainRun start(String node, DrainPolicy policy) {
    return engine.start(DrainTask.of(node, HOLDER, "a test", policy), reports);
  }

  @Test
  void emptiesANodeAndKeepsItHeld() {
    String node = scene.node();
    List<Pod> pods = scene.pods(node, "web", 12);

    DrainOutcome outcome = Scene.end(start(node, Scene.FORCE));

    assertThat(outcome.end()).isEqualTo(End.DONE);
    assertThat(scene.podsOn(node)).isEmpty();
    assertThat(reports.granted)
        .containsExactlyInAnyOrderElementsOf(
            pods.stream().map(pod -> pod.getMetadata().getUid()).toList());
    assertThat(reports.gone).hasSize(12);
    assertThat(scene.read(node).getSpec().getUnschedulable()).isTrue();
    assertThat(engine.holds().read(node).heldBy(HOLDER)).isTrue();
    assertThat(condition(node, "Drained")).isEqualTo("True DrydockDrained");
    assertThat(condition(node, "DrainInProgress")).isEqualTo("False DrydockDrained");
    assertThat(scene.read(node).getStatus().getConditions())
        .extracting(condition -> condition.getMessage())
        .contains("no pod that had to go is left; held by " + HOLDER + ": a test");

    engine.holds().release(node, HOLDER);

    assertThat(scene.read(node).getSpec().getUnschedulable()).isNull();
    assertThat(condition(node, "Drained")).isEqualTo("False DrydockReleased");
    assertThat(scene.events(node)).extracting(event -> event.getReason()).contains("HoldReleased");
  }

  private String condition(String node, String type) {
    return scene.read(node).getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .map(condition -> condition.getStatus() + " " + condition.getReason())
        .findFirst()
        .orElse("");
  }

  @Test
  void refusesPodsThatNothingBringsBackAndTouchesNone() {
    String node = scene.node();
    scene.pods(node, "lonely", 2);

    DrainOutcome outcome = Scene.end(start(node, DrainPolicy.defaults()));

    assertThat(outcome.end()).isEqualTo(End.REFUSED);
    assertThat(outcome.message()).contains("lonely-0", "--force");
    assertThat(scene.podsOn(node)).hasSize(2);
    assertThat(reports.started).isEmpty();
    assertThat(condition(node, "DrainInProgress")).isEqualTo("False DrydockDrainRefused");
  }

  @Test
  void goesOnAsSoonAsABudgetOpens() {
    String node = scene.node();
    scene.pods(node, "guarded", 3);
    scene.budget("strict", "guarded", 3);

    DrainRun run = start(node, Scene.FORCE);
    Scene.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));
    assertThat(reports.blockers().getFirst().line()).contains("3 healthy of 3 needed");
    assertThat(scene.podsOn(node)).hasSize(3);

    scene.kubectl(
        "patch",
        "pdb/strict",
        "-n",
        scene.namespace,
        "--type=merge",
        "-p",
        "{\"spec\":{\"minAvailable\":0}}");

    assertThat(Scene.end(run).end()).isEqualTo(End.DONE);
    assertThat(reports.granted).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void namesBothBudgetsOfAPodAndGoesOnWhenOneIsDeleted() {
    String node = scene.node();
    scene.pods(node, "twice", 1);
    scene.budget("one", "twice", 0);
    scene.budget("two", "twice", 0);

    DrainRun run = start(node, Scene.FORCE);
    Scene.eventually().until(() -> reports.blockedBy(BlockReason.SEVERAL_BUDGETS));
    assertThat(reports.blockers().getFirst().line()).contains("/one", "/two");

    scene.kubectl("delete", "pdb/two", "-n", scene.namespace);

    assertThat(Scene.end(run).end()).isEqualTo(End.DONE);
  }

  @Test
  void isNotDoneWhileAPodDoesNotStop() {
    String node = scene.node();
    scene.pods(node, "stubborn", 1, Map.of(Knob.REFUSE_STOP, "true"));

    DrainRun run = start(node, Scene.FORCE);
    Scene.eventually().until(() -> reports.blockedBy(BlockReason.SLOW_TO_STOP));
    assertThat(run.outcome()).isNotDone();

    scene.kubectl(
        "annotate", "pod/stubborn-0", "-n", scene.namespace, Knob.REFUSE_STOP.annotation() + "-");

    assertThat(Scene.end(run).end()).isEqualTo(End.DONE);
    assertThat(reports.granted).hasSize(1);
  }

  @Test
  void takesPodsThatLandOnTheNodeMeanwhile() {
    String node = scene.node();
    scene.pods(node, "old", 1, Map.of(Knob.REFUSE_STOP, "true"));
    DrainRun run = start(node, Scene.FORCE);
    Scene.eventually().until(() -> reports.granted.size() == 1);

    // bound to the node directly, so the cordon does not keep it off
    scene.kubectl(
        "run",
        "new",
        "-n",
        scene.namespace,
        "--image=none",
        "--overrides={\"spec\":{\"nodeName\":\"%s\"}}".formatted(node));
    Scene.eventually().until(() -> reports.granted.size() == 2);
    scene.kubectl(
        "annotate", "pod/old-0", "-n", scene.namespace, Knob.REFUSE_STOP.annotation() + "-");

    assertThat(Scene.end(run).end()).isEqualTo(End.DONE);
    assertThat(scene.podsOn(node)).isEmpty();
  }

  @Test
  void endsWhenAPersonUncordonsTheNode() {
    String node = scene.node();
    scene.pods(node, "guarded", 2);
    scene.budget("strict", "guarded", 2);
    DrainRun run = start(node, Scene.FORCE);
    Scene.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));

    scene.kubectl("uncordon", node);

    DrainOutcome outcome = Scene.end(run);
    assertThat(outcome.end()).isEqualTo(End.CANCELLED);
    assertThat(outcome.message()).contains("uncordoned");
    assertThat(engine.holds().read(node).byHolder()).isEmpty();
    assertThat(scene.podsOn(node)).hasSize(2);
    assertThat(scene.events(node)).extracting(e -> e.getReason()).contains("HoldDropped");
  }

  @Test
  void holdsAgainIfTheTaskSaysSo() {
    String node = scene.node();
    scene.pods(node, "guarded", 2);
    scene.budget("strict", "guarded", 2);
    DrainRun run =
        engine.start(new DrainTask(node, HOLDER, "a test", Scene.FORCE, true, false), reports);
    Scene.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));

    scene.kubectl("uncordon", node);
    Scene.eventually()
        .until(
            () -> scene.events(node).stream().filter(e -> e.getReason().equals("HoldPlaced")),
            placed -> placed.count() == 2);
    scene.kubectl("delete", "pdb/strict", "-n", scene.namespace);

    assertThat(Scene.end(run).end()).isEqualTo(End.DONE);
    assertThat(engine.holds().read(node).heldBy(HOLDER)).isTrue();
  }

  @Test
  void isDoneWithADeletedNodeOnlyWhenItsPodsAreGone() {
    String node = scene.node();
    scene.pods(node, "guarded", 1);
    scene.budget("strict", "guarded", 1);
    DrainRun run = start(node, Scene.FORCE);
    Scene.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));

    scene.client().nodes().withName(node).delete();
    scene.kubectl("delete", "pdb/strict", "-n", scene.namespace);
    Scene.eventually().until(() -> reports.granted.size() == 1);
    // nobody's kubelet confirms its end; the pod collector does in time, here the test
    scene.kubectl("delete", "pod/guarded-0", "-n", scene.namespace, "--grace-period=0", "--force");

    assertThat(Scene.end(run).end()).isEqualTo(End.DONE);
  }

  @Test
  void saysThatANodeDoesNotExist() {
    DrainOutcome outcome = Scene.end(start("no-such-node", Scene.FORCE));

    assertThat(outcome.end()).isEqualTo(End.FAILED);
    assertThat(outcome.message()).contains("no-such-node").contains("not found");
  }

  @Test
  void deletesPastTheBudgetAfterTheDeadlineAndTellsByAnEvent() {
    String node = scene.node();
    scene.pods(node, "guarded", 1);
    scene.budget("strict", "guarded", 1);
    DrainPolicy policy =
        DrainPolicy.builder()
            .force(true)
            .deadline(Duration.ofSeconds(1), AtDeadline.DELETE)
            .build();

    DrainOutcome outcome = Scene.end(start(node, policy));

    assertThat(outcome.end()).isEqualTo(End.DONE);
    assertThat(reports.started).last().isInstanceOf(Action.Delete.class);
    Scene.eventually()
        .untilAsserted(
            () ->
                assertThat(scene.events(node))
                    .filteredOn(event -> event.getReason().equals("BudgetBypassed"))
                    .singleElement()
                    .satisfies(
                        event -> assertThat(event.getNote()).contains("strict", "DEADLINE")));
  }

  @Test
  void twoEnginesOnOneNodeEndWell() {
    String node = scene.node();
    scene.pods(node, "shared", 10);
    scene.budget("one-by-one", "shared", 0);
    try (Drains other = scene.engine()) {
      DrainRun first = start(node, Scene.FORCE);
      DrainRun second =
          other.start(DrainTask.of(node, "test/other", "another", Scene.FORCE), new Reports());

      assertThat(Scene.end(first).end()).isEqualTo(End.DONE);
      assertThat(Scene.end(second).end()).isEqualTo(End.DONE);
    }
    assertThat(engine.holds().read(node).byHolder()).containsOnlyKeys(HOLDER, "test/other");
  }

  @Test
  void continuesWithTheTimeOfItsHold() {
    String node = scene.node();
    scene.pods(node, "guarded", 1);
    scene.budget("strict", "guarded", 1);
    start(node, Scene.FORCE);
    Scene.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));
    engine.close();

    Reports later = new Reports();
    try (Drains next = scene.engine()) {
      next.start(DrainTask.of(node, HOLDER, "a test", Scene.FORCE), later);
      Scene.eventually().until(() -> later.blockedBy(BlockReason.DISRUPTION_BUDGET));
    }

    assertThat(later.all.getLast().startedAt()).isEqualTo(reports.all.getLast().startedAt());
    assertThat(later.all.getLast().decision().status()).isEqualTo(Status.BLOCKED);
  }

  @Test
  void leavesAnotherWritersConditionAlone() {
    String node = scene.node();
    scene.kubectl(
        "patch",
        "node",
        node,
        "--subresource=status",
        "-p",
        """
        {"status": {"conditions": [
          {"type": "DrainInProgress", "status": "True", "reason": "AdminRequested"}]}}""");

    assertThat(Scene.end(start(node, Scene.FORCE)).end()).isEqualTo(End.DONE);

    assertThat(condition(node, "DrainInProgress")).isEqualTo("True AdminRequested");
    assertThat(condition(node, "Drained")).isEqualTo("True DrydockDrained");
  }

  @Test
  void drainsManyNodesAtOnceWithOneBudgetOverAll() {
    List<String> nodes = IntStream.range(0, 5).mapToObj(i -> scene.node()).toList();
    for (int i = 0; i < nodes.size(); i++) {
      scene.pods(nodes.get(i), "over-" + i, 3);
    }
    scene.kubectl("label", "pods", "--all", "-n", scene.namespace, "app=over", "--overwrite");
    scene.budget("over-all", "over", 0);

    List<DrainRun> runs = nodes.stream().map(node -> start(node, Scene.FORCE)).toList();

    assertThat(runs).allSatisfy(run -> assertThat(Scene.end(run).end()).isEqualTo(End.DONE));
    assertThat(reports.granted).hasSize(15).doesNotHaveDuplicates();
  }
}
