package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Decision.Status;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.hold.decide.EarlierDrain;
import dev.drydock.sim.kubelet.Knob;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

abstract class DrainContract extends EngineContract {
  private static final String HOLDER = "test/drain";

  private final RecordedReports reports = new RecordedReports();

  private DrainRun start(String node, DrainPolicy policy) {
    return engine.start(DrainTask.of(node, HOLDER, "a test", policy), reports);
  }

  /** The last pod may be gone before the answer to its eviction has arrived. */
  private void awaitGranted(int evictions) {
    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(reports.granted).hasSize(evictions).doesNotHaveDuplicates());
  }

  /** Reports follow each other while the budgets become known. */
  private void awaitBlocker(String... words) {
    fixture
        .eventually()
        .untilAsserted(() -> assertThat(reports.blockers().getFirst().line()).contains(words));
  }

  @Test
  void emptiesANodeAndKeepsItHeld() {
    String node = fixture.node();
    List<Pod> pods = fixture.pods(node, "web", 12);

    DrainOutcome outcome = fixture.end(start(node, DrainFixture.FORCE));

    assertThat(outcome.end()).isEqualTo(End.DONE);
    assertThat(fixture.podsOn(node)).isEmpty();
    awaitGranted(12);
    assertThat(reports.granted)
        .containsExactlyInAnyOrderElementsOf(
            pods.stream().map(pod -> pod.getMetadata().getUid()).toList());
    assertThat(reports.gone).hasSize(12);
    assertThat(fixture.read(node).getSpec().getUnschedulable()).isTrue();
    assertThat(engine.holds().read(node).heldBy(HOLDER)).isTrue();
    assertThat(condition(node, "Drained")).isEqualTo("True DrydockDrained");
    assertThat(condition(node, "DrainInProgress")).isEqualTo("False DrydockDrained");
    assertThat(fixture.read(node).getStatus().getConditions())
        .extracting(condition -> condition.getMessage())
        .contains("all pods that had to leave are gone; held by " + HOLDER + ": a test");

    engine.holds().release(node, HOLDER);

    assertThat(fixture.read(node).getSpec().getUnschedulable()).isNull();
    assertThat(condition(node, "Drained")).isEqualTo("False DrydockReleased");
    assertThat(fixture.events(node))
        .extracting(event -> event.getReason())
        .contains("HoldReleased");
  }

  private String condition(String node, String type) {
    return fixture.read(node).getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .map(condition -> condition.getStatus() + " " + condition.getReason())
        .findFirst()
        .orElse("");
  }

  @Test
  void refusesPodsThatNothingBringsBackAndTouchesNone() {
    String node = fixture.node();
    fixture.pods(node, "lonely", 2);

    DrainOutcome outcome = fixture.end(start(node, DrainPolicy.defaults()));

    assertThat(outcome.end()).isEqualTo(End.REFUSED);
    assertThat(outcome.message()).contains("lonely-0", "--force");
    assertThat(fixture.podsOn(node)).hasSize(2);
    assertThat(reports.started).isEmpty();
    assertThat(condition(node, "DrainInProgress")).isEqualTo("False DrydockDrainRefused");
  }

  @Test
  void goesOnAsSoonAsABudgetOpens() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 3);
    fixture.budget("strict", "guarded", 3);

    DrainRun run = start(node, DrainFixture.FORCE);
    fixture.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));
    awaitBlocker("3 healthy of 3 needed");
    assertThat(fixture.podsOn(node)).hasSize(3);

    fixture.kubectl(
        "patch",
        "pdb/strict",
        "-n",
        fixture.namespace,
        "--type=merge",
        "-p",
        "{\"spec\":{\"minAvailable\":0}}");

    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    awaitGranted(3);
  }

  @Test
  void namesBothBudgetsOfAPodAndGoesOnWhenOneIsDeleted() {
    String node = fixture.node();
    fixture.pods(node, "twice", 1);
    fixture.budget("one", "twice", 0);
    fixture.budget("two", "twice", 0);

    DrainRun run = start(node, DrainFixture.FORCE);
    fixture.eventually().until(() -> reports.blockedBy(BlockReason.SEVERAL_BUDGETS));
    awaitBlocker("/one", "/two");

    fixture.kubectl("delete", "pdb/two", "-n", fixture.namespace);

    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
  }

  @Test
  void isNotDoneWhileAPodDoesNotStop() {
    String node = fixture.node();
    fixture.pods(node, "stubborn", 1, Map.of(Knob.REFUSE_STOP, "true"));

    DrainRun run = start(node, DrainFixture.FORCE);
    fixture.eventually().until(() -> reports.blockedBy(BlockReason.SLOW_TO_STOP));
    assertThat(run.outcome()).isNotDone();

    fixture.kubectl(
        "annotate", "pod/stubborn-0", "-n", fixture.namespace, Knob.REFUSE_STOP.annotation() + "-");

    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    awaitGranted(1);
  }

  @Test
  void takesPodsThatLandOnTheNodeMeanwhile() {
    String node = fixture.node();
    fixture.pods(node, "old", 1, Map.of(Knob.REFUSE_STOP, "true"));
    DrainRun run = start(node, DrainFixture.FORCE);
    fixture.eventually().until(() -> reports.granted.size() == 1);

    // bound to the node directly, so the cordon does not keep it off
    fixture.kubectl(
        "run",
        "new",
        "-n",
        fixture.namespace,
        "--image=none",
        "--overrides={\"spec\":{\"nodeName\":\"%s\"}}".formatted(node));
    fixture.eventually().until(() -> reports.granted.size() == 2);
    fixture.kubectl(
        "annotate", "pod/old-0", "-n", fixture.namespace, Knob.REFUSE_STOP.annotation() + "-");

    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    assertThat(fixture.podsOn(node)).isEmpty();
  }

  @Test
  void endsWhenAPersonUncordonsTheNode() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 2);
    fixture.budget("strict", "guarded", 2);
    DrainRun run = start(node, DrainFixture.FORCE);
    fixture.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));

    fixture.kubectl("uncordon", node);

    DrainOutcome outcome = fixture.end(run);
    assertThat(outcome.end()).isEqualTo(End.CANCELLED);
    assertThat(outcome.message()).contains("uncordoned");
    assertThat(engine.holds().read(node).byHolder()).isEmpty();
    assertThat(fixture.podsOn(node)).hasSize(2);
    assertThat(fixture.events(node)).extracting(e -> e.getReason()).contains("HoldDropped");
  }

  @Test
  void holdsAgainIfTheTaskSaysSo() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 2);
    fixture.budget("strict", "guarded", 2);
    DrainRun run =
        engine.start(
            new DrainTask(
                node,
                HOLDER,
                Optional.empty(),
                "a test",
                DrainFixture.FORCE,
                true,
                false,
                EarlierDrain.NONE),
            reports);
    fixture.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));

    fixture.kubectl("uncordon", node);
    fixture
        .eventually()
        .until(
            () -> fixture.events(node).stream().filter(e -> e.getReason().equals("HoldPlaced")),
            placed -> placed.count() == 2);
    fixture.kubectl("delete", "pdb/strict", "-n", fixture.namespace);

    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    assertThat(engine.holds().read(node).heldBy(HOLDER)).isTrue();
  }

  @Test
  void isDoneWithADeletedNodeOnlyWhenItsPodsAreGone() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 1);
    fixture.budget("strict", "guarded", 1);
    DrainRun run = start(node, DrainFixture.FORCE);
    fixture.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));

    fixture.client().nodes().withName(node).delete();
    fixture.kubectl("delete", "pdb/strict", "-n", fixture.namespace);
    fixture.eventually().until(() -> reports.granted.size() == 1);
    // nobody's kubelet confirms its end; the pod collector does in time, here the test
    fixture.kubectl(
        "delete",
        "pod/guarded-0",
        "-n",
        fixture.namespace,
        "--grace-period=0",
        "--force",
        // its kubelet may hear of the eviction before it hears that its node is gone
        "--ignore-not-found");

    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
  }

  @Test
  void saysThatANodeDoesNotExist() {
    DrainOutcome outcome = fixture.end(start("no-such-node", DrainFixture.FORCE));

    assertThat(outcome.end()).isEqualTo(End.FAILED);
    assertThat(outcome.message()).contains("no-such-node").contains("not found");
  }

  @Test
  void deletesPastTheBudgetAfterTheDeadlineAndTellsByAnEvent() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 1);
    fixture.budget("strict", "guarded", 1);
    DrainPolicy policy =
        DrainPolicy.builder()
            .force(true)
            .deadline(Duration.ofSeconds(1), AtDeadline.DELETE)
            .build();

    DrainOutcome outcome = fixture.end(start(node, policy));

    assertThat(outcome.end()).isEqualTo(End.DONE);
    assertThat(reports.started).last().isInstanceOf(Action.Delete.class);
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(fixture.events(node))
                    .filteredOn(event -> event.getReason().equals("BudgetBypassed"))
                    .singleElement()
                    .satisfies(
                        event -> assertThat(event.getNote()).contains("strict", "DEADLINE")));
  }

  @Test
  void twoEnginesOnOneNodeEndWell() {
    String node = fixture.node();
    fixture.pods(node, "shared", 10);
    fixture.budget("one-by-one", "shared", 0);
    try (DrainEngine other = fixture.engine()) {
      DrainRun first = start(node, DrainFixture.FORCE);
      DrainRun second =
          other.start(
              DrainTask.of(node, "test/other", "another", DrainFixture.FORCE),
              new RecordedReports());

      assertThat(fixture.end(first).end()).isEqualTo(End.DONE);
      assertThat(fixture.end(second).end()).isEqualTo(End.DONE);
    }
    assertThat(engine.holds().read(node).byHolder()).containsOnlyKeys(HOLDER, "test/other");
  }

  @Test
  void continuesWithTheTimeOfItsHold() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 1);
    fixture.budget("strict", "guarded", 1);
    start(node, DrainFixture.FORCE);
    fixture.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));
    engine.close();

    RecordedReports later = new RecordedReports();
    try (DrainEngine next = fixture.engine()) {
      next.start(DrainTask.of(node, HOLDER, "a test", DrainFixture.FORCE), later);
      fixture.eventually().until(() -> later.blockedBy(BlockReason.DISRUPTION_BUDGET));
    }

    assertThat(later.all.getLast().startedAt()).isEqualTo(reports.all.getLast().startedAt());
    assertThat(later.all.getLast().decision().status()).isEqualTo(Status.BLOCKED);
  }

  @Test
  void leavesAnotherWritersConditionAlone() {
    String node = fixture.node();
    fixture.kubectl(
        "patch",
        "node",
        node,
        "--subresource=status",
        "-p",
        """
        {"status": {"conditions": [
          {"type": "DrainInProgress", "status": "True", "reason": "AdminRequested"}]}}""");

    assertThat(fixture.end(start(node, DrainFixture.FORCE)).end()).isEqualTo(End.DONE);

    assertThat(condition(node, "DrainInProgress")).isEqualTo("True AdminRequested");
    assertThat(condition(node, "Drained")).isEqualTo("True DrydockDrained");
  }

  @Test
  void drainsManyNodesAtOnceWithOneBudgetOverAll() {
    List<String> nodes = IntStream.range(0, 5).mapToObj(i -> fixture.node()).toList();
    for (int i = 0; i < nodes.size(); i++) {
      fixture.pods(nodes.get(i), "over-" + i, 3);
    }
    fixture.kubectl("label", "pods", "--all", "-n", fixture.namespace, "app=over", "--overwrite");
    fixture.budget("over-all", "over", 0);

    List<DrainRun> runs = nodes.stream().map(node -> start(node, DrainFixture.FORCE)).toList();

    assertThat(runs).allSatisfy(run -> assertThat(fixture.end(run).end()).isEqualTo(End.DONE));
    awaitGranted(15);
  }
}
