package dev.drydock.edge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every combination of what can keep a node in service. */
class CordonDecisionTest {
  private static PeerNode node(String name, boolean held) {
    return new PeerNode(name, "", !held, true, false, true, held, "");
  }

  private static Optional<String> some(int bits, int bit, String text) {
    return (bits & bit) != 0 ? Optional.of(text) : Optional.empty();
  }

  @Test
  void aStopComesFirstAndANodeThatIsHeldHasItsTurnAlready() {
    for (int bits = 0; bits < 32; bits++) {
      Optional<String> stopped = some(bits, 1, "stopped");
      Optional<String> lease = some(bits, 2, "lease");
      boolean turns = (bits & 4) != 0;
      boolean held = (bits & 8) != 0;
      boolean peerOut = (bits & 16) != 0;
      ClusterNodes nodes = new ClusterNodes("a", List.of(node("a", held), node("b", peerOut)));

      Optional<String> waits = CordonDecision.waitsFor(stopped, turns, lease, nodes);

      boolean needsTurn = turns && !held;
      assertThat(waits.isPresent())
          .as("case %d", bits)
          .isEqualTo(stopped.isPresent() || (needsTurn && (lease.isPresent() || peerOut)));
      if (stopped.isPresent()) {
        assertThat(waits).isEqualTo(stopped);
      } else if (needsTurn && lease.isPresent()) {
        assertThat(waits).isEqualTo(lease);
      } else if (needsTurn && peerOut) {
        assertThat(waits.orElseThrow()).contains("until b is back");
      }
    }
  }

  @Test
  void aNodeThatIsNotInTheClusterNeedsItsTurn() {
    ClusterNodes others = new ClusterNodes("a", List.of(node("b", true)));

    assertThat(CordonDecision.waitsFor(Optional.empty(), true, Optional.empty(), others))
        .isPresent();
  }

  @Test
  void aStopIsObeyedWhileTheServerIsUnreachableAndARefusalIsAFailedTry() {
    Optional<String> stop = Optional.of("stopped");
    for (int code : new int[] {0, 200, 401, 403, 404, 408, 409, 410, 429, 500, 503, 599}) {
      boolean unreachable = code == 0 || code == 408 || code == 429 || code >= 500;
      assertThat(CordonDecision.waitsFor(stop, code))
          .as("code %d", code)
          .isEqualTo(unreachable ? stop : Optional.empty());
      assertThat(CordonDecision.waitsFor(Optional.empty(), code)).isEmpty();
    }
  }
}
