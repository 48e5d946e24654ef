package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.DrainPlan;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.DrainPolicy.DaemonSets;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.kube.ApiFailure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class DrainPlanReaderContract extends EngineContract {
  private static final DrainPolicy LENIENT =
      DrainPolicy.builder().force(true).daemonSets(DaemonSets.IGNORE).build();

  private String node;

  @BeforeEach
  void open() {
    node = fixture.node();
  }

  /** A DaemonSet for this node and a ReplicaSet whose pods name it, past the scheduler. */
  private void controllers() {
    String manifest =
        """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: agent}
        spec:
          selector: {matchLabels: {app: agent}}
          template:
            metadata: {labels: {app: agent}}
            spec:
              nodeSelector: {kubernetes.io/hostname: NODE}
              tolerations: [{operator: Exists}]
              containers: [{name: main, image: none}]
        ---
        apiVersion: apps/v1
        kind: ReplicaSet
        metadata: {name: pinned}
        spec:
          replicas: 1
          selector: {matchLabels: {app: pinned}}
          template:
            metadata: {labels: {app: pinned}}
            spec:
              nodeName: NODE
              terminationGracePeriodSeconds: 1
              containers: [{name: main, image: none}]
        """
            .replace("NODE", node);
    fixture.kubectlWithInput(manifest, "create", "-n", fixture.namespace, "-f", "-");
    fixture.eventually().until(() -> fixture.podsOn(node).size() == 2);
  }

  @Test
  void tellsWhatComesBackAndTouchesNothing() {
    controllers();

    DrainPlan plan = engine.plans().plan(node, LENIENT);

    assertThat(plan.possible()).isFalse();
    assertThat(plan.impossible())
        .singleElement()
        .satisfies(blocker -> assertThat(blocker.reason()).isEqualTo(BlockReason.COMES_BACK));
    assertThat(plan.warnings()).anyMatch(line -> line.startsWith("ignoring DaemonSet-managed"));
    assertThat(fixture.podsOn(node)).hasSize(2).allMatch(p -> !p.isMarkedForDeletion());
    assertThat(fixture.read(node).getSpec().getUnschedulable()).isNull();
  }

  @Test
  void aPodThatIsTooLargeToBeKeptIsPlannedAndTheServerKnowsItsBudgets() {
    fixture.pods(node, "huge", 1);
    fixture.budget("strict", "huge", 1);
    fixture
        .client()
        .pods()
        .inNamespace(fixture.namespace)
        .withName("huge-0")
        .edit(
            pod -> {
              for (int i = 0; i < 1_000; i++) {
                pod.getMetadata().getLabels().put("label-" + i, "v");
              }
              return pod;
            });

    DrainPlan plan = engine.plans().plan(node, LENIENT);

    assertThat(plan.pods())
        .singleElement()
        .satisfies(pod -> assertThat(pod.verdict().goes()).isTrue());
    assertThat(plan.blockers())
        .singleElement()
        .satisfies(blocker -> assertThat(blocker.what()).contains("too large to tell"));
    assertThat(engine.plans().dryRun(node, LENIENT).values())
        .singleElement()
        .isInstanceOf(EvictionAnswer.RefusedByBudget.class);
    assertThat(engine.left(node, LENIENT)).containsExactly(fixture.namespace + "/huge-0");
  }

  @Test
  void asksTheServerWithoutEvicting() {
    fixture.pods(node, "guarded", 2);
    fixture.budget("strict", "guarded", 2);
    fixture.pods(node, "free", 1);

    assertThat(engine.plans().dryRun(node, LENIENT).values())
        .hasSize(3)
        .filteredOn(EvictionAnswer.RefusedByBudget.class::isInstance)
        .hasSize(2);
    assertThat(fixture.podsOn(node)).hasSize(3).allMatch(p -> !p.isMarkedForDeletion());
  }

  @Test
  void namesTheNodeThatDoesNotExist() {
    assertThatThrownBy(() -> engine.plans().plan("no-such-node", LENIENT))
        .isInstanceOf(ApiFailure.class)
        .hasMessageContaining("no-such-node");
  }

  @Test
  void aDrainStopsWhereAPodKeepsComingBack() {
    controllers();
    RecordedReports reports = new RecordedReports();

    DrainRun run = engine.start(DrainTask.of(node, "test/plans", "", LENIENT), reports);

    fixture.eventually().until(() -> reports.blockedBy(BlockReason.COMES_BACK));
    int evictions = reports.granted.size();
    assertThat(evictions).isLessThanOrEqualTo(2);
    fixture.kubectl("delete", "replicaset/pinned", "-n", fixture.namespace);
    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    assertThat(fixture.podsOn(node)).hasSize(1);
  }
}
