package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.DrainOutcome.End;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens when the process or the API server dies in the middle of a drain. */
abstract class DrainCrashContract {
  private static final String HOLDER = "test/crash";

  private DrainFixture fixture;

  @BeforeEach
  void open(DrainFixture given) {
    fixture = given;
  }

  @AfterEach
  void close() {
    fixture.close();
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
    String node = fixture.node();
    String word = "n" + lastCall + (carriesItOut ? "-after" : "-before");
    List<Pod> pods = fixture.pods(node, word, 3);
    fixture.budget(word, word, 0);
    Map<String, AtomicInteger> evictions = new ConcurrentHashMap<>();
    DrainTask task = DrainTask.of(node, HOLDER, "a test", DrainFixture.FORCE);

    DyingEngine dying = new DyingEngine(lastCall, carriesItOut, evictions);
    boolean survived;
    try (DrainEngine first = fixture.engine(dying)) {
      DrainRun run = first.start(task, DrainListener.NONE);
      fixture.eventually().until(() -> run.outcome().isDone() || dying.isDead());
      survived = !dying.isDead();
    }

    DyingEngine immortal = new DyingEngine(Integer.MAX_VALUE, true, evictions);
    try (DrainEngine second = fixture.engine(immortal)) {
      assertThat(fixture.end(second.start(task, DrainListener.NONE)).end())
          .as("after call %d", lastCall)
          .isEqualTo(End.DONE);
      assertThat(second.holds().read(node).heldBy(HOLDER)).isTrue();
    }
    assertThat(fixture.podsOn(node)).isEmpty();
    assertThat(evictions.values())
        .as("evictions granted to a pod, killed at call %d", lastCall)
        .allSatisfy(count -> assertThat(count).hasValue(1));
    assertThat(pods).extracting(pod -> pod.getMetadata().getUid()).containsAll(evictions.keySet());
    return survived;
  }
}
