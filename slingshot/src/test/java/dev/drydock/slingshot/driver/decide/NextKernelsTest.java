package dev.drydock.slingshot.driver.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.driver.decide.NextKernels.Readiness;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NextKernelsTest {
  private static final String RUNNING = "6.1.0-55-amd64";
  private static final Readiness READY = new Readiness.Ready();
  private static final Readiness PENDING = new Readiness.Pending();
  private static final Readiness MISSING =
      new Readiness.Missing(FailureReason.KernelHeadersMissing, "it has no headers");

  @ParameterizedTest
  @CsvSource({
    "6.1.0-55-amd64, 6.1.0-9-amd64, 1",
    "6.1.0-9-amd64, 6.10.0-1-amd64, -1",
    "5.14.0-427.el9, 5.14.0-427.13.1.el9, -1",
    "6.1.0-055, 6.1.0-55, 0",
    "6.1.0, 6.1.0-1, -1"
  })
  void versionsAreComparedByTheirNumbers(String one, String other, int order) {
    assertThat(Integer.signum(NextKernels.compare(one, other))).isEqualTo(order);
    assertThat(Integer.signum(NextKernels.compare(other, one))).isEqualTo(-order);
  }

  @Test
  void theNewestIsPreparedFirstAndTheRunningOneNever() {
    assertThat(
            NextKernels.order(
                List.of("6.1.0-9-amd64", RUNNING, "6.1.0-60-amd64", "6.12.1-amd64"), RUNNING))
        .containsExactly("6.12.1-amd64", "6.1.0-60-amd64", "6.1.0-9-amd64");
  }

  @Test
  void aNewerKernelWithoutDriverIsSaidWithWhatToDo() {
    NextKernels.Said said =
        NextKernels.condition(Map.of("6.1.0-60-amd64", MISSING, "6.1.0-61-amd64", READY), RUNNING)
            .orElseThrow();
    assertThat(said.missing()).isTrue();
    assertThat(said.reason()).isEqualTo("KernelHeadersMissing");
    assertThat(said.message()).isEqualTo("6.1.0-60-amd64: it has no headers");
  }

  @Test
  void olderKernelsRaiseNoAlarm() {
    assertThat(NextKernels.condition(Map.of("6.1.0-9-amd64", MISSING), RUNNING))
        .get()
        .satisfies(said -> assertThat(said.missing()).isFalse())
        .satisfies(said -> assertThat(said.message()).contains("no newer kernel"));
  }

  @Test
  void whatIsNotKnownYetIsNotSaid() {
    assertThat(
            NextKernels.condition(
                Map.of("6.1.0-60-amd64", PENDING, "6.1.0-61-amd64", READY), RUNNING))
        .isEmpty();
    assertThat(
            NextKernels.condition(
                Map.of("6.1.0-60-amd64", PENDING, "6.1.0-61-amd64", MISSING), RUNNING))
        .get()
        .satisfies(said -> assertThat(said.missing()).isTrue());
    assertThat(NextKernels.condition(Map.of("6.1.0-60-amd64", READY), RUNNING))
        .get()
        .satisfies(said -> assertThat(said.message()).contains("6.1.0-60-amd64"));
  }
}
