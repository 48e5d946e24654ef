package dev.drydock.edge.decide;

import static dev.drydock.edge.decide.OperationGate.DEFER;
import static dev.drydock.edge.decide.OperationGate.GO;
import static dev.drydock.edge.decide.OperationGate.KEEP;
import static dev.drydock.edge.decide.OperationGate.REQUEST;
import static dev.drydock.edge.decide.OperationGate.WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every status, asked for the first time and while it waits; the documentation has the same. */
class OperationGateTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** By status: asked, deferred. */
  private static final Map<NodeDrainState, List<OperationGate>> EXPECTED =
      new EnumMap<>(
          Map.of(
              NodeDrainState.UNKNOWN, List.of(WAIT, WAIT),
              NodeDrainState.NOTSUPPORTED, List.of(GO, GO),
              NodeDrainState.NOTREQUESTED, List.of(REQUEST, REQUEST),
              NodeDrainState.REQUESTED, List.of(DEFER, DEFER),
              NodeDrainState.STARTING, List.of(DEFER, DEFER),
              NodeDrainState.CORDONED, List.of(DEFER, DEFER),
              NodeDrainState.FAILEDCORDON, List.of(REQUEST, KEEP),
              NodeDrainState.DRAINRETRYING, List.of(DEFER, DEFER),
              NodeDrainState.FAILEDDRAIN, List.of(REQUEST, KEEP),
              NodeDrainState.COMPLETE, List.of(GO, GO)));

  @ParameterizedTest
  @EnumSource
  void everyStatusHasOneAnswer(NodeDrainState state) {
    assertThat(
            List.of(
                OperationGate.asked(state, Duration.ZERO, PATIENCE),
                OperationGate.deferred(state, Duration.ZERO, PATIENCE)))
        .isEqualTo(EXPECTED.get(state));
  }

  @Test
  void anUnknownStatusIsWaitedForOnlySoLong() {
    assertThat(OperationGate.asked(NodeDrainState.UNKNOWN, PATIENCE.minusNanos(1), PATIENCE))
        .isEqualTo(WAIT);
    assertThat(OperationGate.asked(NodeDrainState.UNKNOWN, PATIENCE, PATIENCE)).isEqualTo(GO);
  }

  @Test
  void theDocumentationHasTheSameTable() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "edge.md"));
    for (NodeDrainState state : NodeDrainState.values()) {
      List<OperationGate> gates = Objects.requireNonNull(EXPECTED.get(state));
      assertThat(page)
          .contains(
              "| %d | %s | %s | %s | %s |"
                  .formatted(
                      state.number(), state.name(), state, word(gates.get(0)), word(gates.get(1))));
    }
  }

  private static String word(OperationGate gate) {
    return gate.name().toLowerCase(Locale.ROOT);
  }
}
