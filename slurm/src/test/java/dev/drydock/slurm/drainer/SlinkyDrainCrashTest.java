package dev.drydock.slurm.drainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slurm.SlurmFixture;
import dev.drydock.slurm.SlurmFixture.Drainer;
import dev.drydock.slurm.SlurmFixture.Mock;
import dev.drydock.testkit.DyingProcess;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Dies at every write, before it or after it: the next process ends where the first would have. */
class SlinkyDrainCrashTest {
  @Test
  void noWriteIsTheLastOne() {
    int write = 0;
    boolean survived = false;
    while (!survived) {
      write++;
      boolean before = dieAndContinue(write, false);
      boolean after = dieAndContinue(write, true);
      survived = before && after;
    }
    assertThat(write).as("writes of a whole drain").isGreaterThan(8);
  }

  /** Whether the process got to the end before it could die. */
  private static boolean dieAndContinue(int write, boolean carriesItOut) {
    String what = "write %d, carried out %s".formatted(write, carriesItOut);
    try (SlurmFixture fixture = SlurmFixture.simulated()) {
      String node = fixture.addNode();
      fixture.worker("w1", node);
      fixture.worker("w2", node);
      Set<String> uids =
          Set.of(
              fixture.pod("w1").orElseThrow().getMetadata().getUid(),
              fixture.pod("w2").orElseThrow().getMetadata().getUid());
      DyingProcess dying = DyingProcess.atWrite(write, carriesItOut);
      boolean survived;
      try (Mock _ = fixture.mock()) {
        try (Drainer first = fixture.drainer(dying)) {
          fixture.request("crashed", node);
          fixture.cluster().pass(Duration.ofMinutes(2));
          survived = !dying.isDead();
          first.process().kill();
        }
        try (Drainer _ = fixture.drainer()) {
          fixture
              .eventually()
              .untilAsserted(
                  () -> {
                    assertThat(fixture.answer("crashed", "DrainComplete"))
                        .as(what)
                        .isEqualTo("True DrainComplete");
                    assertThat(fixture.answer("crashed", "Complete"))
                        .as(what)
                        .isEqualTo("True DrainComplete");
                    assertThat(fixture.finalizers("crashed")).as(what).isEmpty();
                  });
        }
      }
      assertThat(fixture.reason(node)).as(what).isEmpty();
      assertThat(fixture.pods()).as(what).isEmpty();
      assertThat(fixture.drainedPods("crashed"))
          .as(what)
          .allSatisfy(pod -> assertThat(pod.goneAt()).isNotNull())
          .map(pod -> pod.uid())
          .containsExactlyInAnyOrderElementsOf(uids);
      List<String> events = fixture.events("crashed");
      assertThat(events).as(what).anyMatch(event -> event.contains("SlurmDrained slinky/w1"));
      assertThat(events).as(what).anyMatch(event -> event.contains("SlurmDrained slinky/w2"));
      return survived;
    }
  }
}
