package dev.drydock.slurm.mock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.RequestInterceptor;
import dev.drydock.slurm.SlurmFixture;
import dev.drydock.slurm.SlurmFixture.Mock;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.ProcessOptions;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MockSlurmOperatorTest {
  private static final String DRAIN = "SlurmNodeStateDrain";

  private final SlurmFixture fixture = SlurmFixture.simulated();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** By type: status, reason and message. */
  private Map<String, String> conditions(String pod) {
    return fixture.pod(pod).orElseThrow().getStatus().getConditions().stream()
        .collect(
            Collectors.toMap(
                PodCondition::getType,
                each ->
                    "%s %s %s".formatted(each.getStatus(), each.getReason(), each.getMessage())));
  }

  @Test
  void saysThatTheWorkersOfAnAnnotatedNodeAreDrained() {
    String node = fixture.addNode();
    String other = fixture.addNode();
    fixture.worker("w1", node);
    fixture.worker("w2", other);
    try (Mock _ = fixture.mock()) {
      fixture.annotate(node, "anything");
      fixture.eventually().until(() -> fixture.condition("w1", DRAIN), "True"::equals);

      assertThat(conditions("w1"))
          .containsEntry(DRAIN, "True NodeCordonedBySlinkyDrainer anything")
          .containsEntry("SlurmNodeStateIdle", "True NodeDrained no jobs run on the node")
          .hasEntrySatisfying("Ready", ready -> assertThat(ready).startsWith("True"));
      assertThat(conditions("w2")).doesNotContainKey(DRAIN);
      fixture.worker("w3", node);
      fixture.eventually().until(() -> fixture.condition("w3", DRAIN), "True"::equals);
      fixture.annotate(node, null);
      fixture.cluster().pass(Duration.ofMinutes(1));
      assertThat(fixture.condition("w1", DRAIN)).isEqualTo("True");
    }
  }

  @Test
  void aPodThatCannotBeWrittenIsTriedAgainAndHoldsUpNoOther() {
    String node = fixture.addNode();
    fixture.worker("w1", node);
    fixture.worker("w2", node);
    fixture.annotate(node, "x");
    LoopBug bug = new LoopBug().atWritesTo("/pods/w1/status");
    try (Mock mock = fixture.mock(ProcessOptions.of(bug))) {
      bug.staysIn(
          "mock-slurm",
          mock.process().kube(),
          fixture.eventually(),
          () -> {
            assertThat(fixture.condition("w2", DRAIN)).isEqualTo("True");
            assertThat(fixture.condition("w1", DRAIN)).isEmpty();
          },
          () -> assertThat(fixture.condition("w1", DRAIN)).isEqualTo("True"));
    }
  }

  @Test
  void aNodeThatWasAnnotatedBeforeTheStartIsServed() {
    String node = fixture.addNode();
    fixture.worker("w1", node);
    fixture.annotate(node, "x");
    try (Mock _ = fixture.mock(ProcessOptions.of(RequestInterceptor.NONE))) {
      fixture.eventually().until(() -> fixture.condition("w1", DRAIN), "True"::equals);
    }
    assertThat(fixture.condition("w1", "SlurmNodeStateIdle")).isEqualTo("True");
  }
}
