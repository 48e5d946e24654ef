package dev.drydock.drain.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.decide.BlockReason;
import dev.drydock.drain.kube.DrainOutcome.End;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens when the process or the API server dies in the middle of a drain. */
@ClusterTest
class CrashIT {
  private static final String HOLDER = "test/crash";

  private Scene scene;

  @BeforeEach
  void open(ControlPlane cluster, TestNamespace namespace) {
    scene = new Scene(cluster, namespace);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void aDrainKilledAfterAnyCallIsContinuedWithoutLossOrRepetition() {
    int call = 0;
    boolean survived = false;
    while (!survived) {
      call++;
      boolean before = killAndContinue(call, false);
      survived = killAndContinue(call, true) && before;
    }
    assertThat(call).as("calls of a whole drain").isGreaterThan(10);
  }

  /** Whether the process got to the end before it could die. */
  private boolean killAndContinue(int lastCall, boolean carriesItOut) {
    String node = scene.node();
    String word = "n" + lastCall + (carriesItOut ? "-after" : "-before");
    List<Pod> pods = scene.pods(node, word, 3);
    scene.budget(word, word, 0);
    Map<String, AtomicInteger> evictions = new ConcurrentHashMap<>();
    DrainTask task = DrainTask.of(node, HOLDER, "a test", Scene.FORCE);

    DyingProcess dying = new DyingProcess(lastCall, carriesItOut, evictions);
    boolean survived;
    try (Drains first = scene.engine(dying)) {
      DrainRun run = first.start(task, DrainListener.NONE);
      Scene.eventually().until(() -> run.outcome().isDone() || dying.isDead());
      survived = !dying.isDead();
    }

    DyingProcess immortal = new DyingProcess(Integer.MAX_VALUE, true, evictions);
    try (Drains second = scene.engine(immortal)) {
      assertThat(Scene.end(second.start(task, DrainListener.NONE)).end())
          .as("after call %d", lastCall)
          .isEqualTo(End.DONE);
      assertThat(second.holds().read(node).heldBy(HOLDER)).isTrue();
    }
    assertThat(scene.podsOn(node)).isEmpty();
    assertThat(evictions.values())
        .as("evictions granted to a pod, killed at call %d", lastCall)
        .allSatisfy(count -> assertThat(count).hasValue(1));
    assertThat(pods).extracting(pod -> pod.getMetadata().getUid()).containsAll(evictions.keySet());
    return survived;
  }

  @Test
  void aDrainGoesOnWhenTheApiServerIsBack() {
    String node = scene.node();
    scene.pods(node, "stubborn", 3, Map.of(Knob.REFUSE_STOP, "true"));
    Reports reports = new Reports();
    try (Drains engine = scene.engine()) {
      DrainRun run = engine.start(DrainTask.of(node, HOLDER, "a test", Scene.FORCE), reports);
      Scene.eventually().until(() -> reports.granted.size() == 3);

      scene.cluster.stopApiServer();
      Scene.eventually().until(() -> reports.blockedBy(BlockReason.NOT_OBSERVED));
      assertThat(run.outcome()).isNotDone();
      scene.cluster.startApiServer();

      Scene.eventually().until(() -> !reports.blockedBy(BlockReason.NOT_OBSERVED));
      scene.kubectl(
          "annotate", "pods", "--all", "-n", scene.namespace, Knob.REFUSE_STOP.annotation() + "-");
      assertThat(run.outcome())
          .succeedsWithin(120, TimeUnit.SECONDS)
          .satisfies(outcome -> assertThat(outcome.end()).isEqualTo(End.DONE));
    }
    assertThat(scene.podsOn(node)).isEmpty();
    assertThat(reports.granted).hasSize(3);
  }
}
