package dev.drydock.health.connector.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchCheckTest {
  private static HealthEvent of(String check) {
    return HealthEvent.builder().nodeName("n").checkName(check).build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Ready",
        "NetworkUnavailable",
        "DiskPressure",
        "Drained",
        "UntrackedFailures",
        "HealthChecksNotShown"
      })
  void noCheckSpeaksForKubernetesOrForADrain(String check) {
    assertThat(BatchCheck.refusal(List.of(of("GpuXidError"), of(check))).orElseThrow().reason())
        .isEqualTo("reserved_check_name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../n", "n/status", "a%zz", "N", "n\n", "n.", "."})
  void aNameThatNoNodeCanHaveIsRefused(String node) {
    HealthEvent event = of("Check").toBuilder().nodeName(node).build();

    Refusal refusal = BatchCheck.refusal(List.of(of("Check"), event)).orElseThrow();

    assertThat(refusal.kind()).isEqualTo(Refusal.Kind.INVALID_ARGUMENT);
    assertThat(refusal.reason()).isEqualTo("invalid_node_name");
    assertThat(refusal.message()).startsWith("event 1 of");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "n", "ip-10-0-0-1.eu.internal"})
  void othersAndNoneAreTaken(String node) {
    assertThat(BatchCheck.refusal(List.of(of("Check").toBuilder().nodeName(node).build())))
        .isEmpty();
  }

  @Test
  void otherChecksAreTaken() {
    assertThat(BatchCheck.refusal(List.of(of("GpuXidError"), of("GpuMemWatch")))).isEmpty();
  }

  static Stream<Arguments> tooLarge() {
    HealthEvent event = of("Check");
    return Stream.of(
        Arguments.of(event.toBuilder().checkName("c".repeat(254)).build(), "checkName"),
        Arguments.of(event.toBuilder().nodeName("n".repeat(254)).build(), "nodeName"),
        Arguments.of(event.toBuilder().message("m".repeat(65_537)).build(), "65537"),
        Arguments.of(event.toBuilder().metadata("k", "v".repeat(65_536)).build(), "65537"),
        Arguments.of(
            event.toBuilder()
                .errorCode(IntStream.range(0, 1001).mapToObj(i -> "c" + i).toList())
                .build(),
            "1001"));
  }

  @ParameterizedTest
  @MethodSource("tooLarge")
  void anEventThatIsTooLargeRefusesItsBatchAndSaysWhy(HealthEvent event, String what) {
    Refusal refusal = BatchCheck.refusal(List.of(of("Check"), event)).orElseThrow();

    assertThat(refusal.kind()).isEqualTo(Refusal.Kind.INVALID_ARGUMENT);
    assertThat(refusal.message()).contains("event 1", what, "nothing of the batch is taken");
  }

  @Test
  void whatIsJustSmallEnoughIsTaken() {
    assertThat(
            BatchCheck.refusal(
                List.of(
                    of("c".repeat(253)).toBuilder()
                        .message("m".repeat(60_000))
                        .errorCode(IntStream.range(0, 500).mapToObj(i -> "c" + i).toList())
                        .build())))
        .isEmpty();
  }
}
