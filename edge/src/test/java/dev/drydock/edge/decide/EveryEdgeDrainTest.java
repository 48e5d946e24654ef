package dev.drydock.edge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.EdgeDrain.Ending;
import dev.drydock.edge.decide.EdgeInput.AttemptView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens in whatever order, some things never do. */
class EveryEdgeDrainTest {
  private static final int WALKS = 60;
  private static final int STEPS = 120;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anyWalkKeepsTheRules(long seed) {
    Random random = new Random(seed);
    for (int walk = 0; walk < WALKS; walk++) {
      TestEdgeDrain edge = new TestEdgeDrain();
      edge.turns = random.nextBoolean();
      edge.keepsCordon = random.nextBoolean();
      for (int step = 0; step < STEPS; step++) {
        EdgeDrain before = edge.drain;
        int attempts = edge.attemptsStarted;
        boolean forced = edge.force.isPresent();
        happen(edge, random);
        check(edge, before, attempts, forced);
      }
    }
  }

  private static void happen(TestEdgeDrain edge, Random random) {
    switch (random.nextInt(14)) {
      case 0 -> edge.request(DrainRequester.DEVICEOP, "op" + random.nextInt(3));
      case 1 -> edge.request(DrainRequester.UPDATE, "image" + random.nextInt(3));
      case 2 -> {
        if (!edge.requests.isEmpty() && random.nextInt(3) == 0) {
          edge.requests.remove(edge.requests.keySet().iterator().next());
        }
        edge.settle();
      }
      case 3 -> {
        edge.force =
            random.nextBoolean()
                ? Optional.empty()
                : Optional.of(
                    new ForcedStatus(
                        random.nextBoolean()
                            ? NodeDrainState.COMPLETE
                            : NodeDrainState.NOTSUPPORTED,
                        DrainRequester.of(1 + random.nextInt(3)).orElseThrow()));
        edge.settle();
      }
      case 4 -> {
        edge.clustered =
            random.nextInt(4) == 0 ? Optional.of(random.nextBoolean()) : Optional.of(true);
        edge.settle();
      }
      case 5 -> {
        edge.cancelled = random.nextInt(5) == 0;
        edge.settle();
      }
      case 6, 7 -> edge.pass(Duration.ofSeconds(random.nextInt(400)));
      default -> answer(edge, random);
    }
  }

  private static void answer(TestEdgeDrain edge, Random random) {
    if (edge.asked != null) {
      if (random.nextInt(4) == 0) {
        edge.fails(List.of(0, 403, 500, 429).get(random.nextInt(4)));
        return;
      }
      edge.answer(
          switch (edge.asked) {
            case PROBE -> new ApiResult.Answered();
            case CORDON ->
                random.nextInt(5) == 0
                    ? new ApiResult.NotOurTurn("later")
                    : new ApiResult.Cordoned(edge.now);
            case CHECK_PEERS ->
                TestEdgeDrain.peers(
                    random.nextBoolean(),
                    random.nextBoolean() ? StorageView.NONE : TestEdgeDrain.lastReplicaOn("a"));
            case RELEASE -> new ApiResult.Released();
          });
    } else if (edge.run instanceof AttemptView.Running) {
      edge.ends(
          switch (random.nextInt(4)) {
            case 0 -> new AttemptView.Done();
            case 1 -> new AttemptView.CalledOff("uncordoned");
            default -> new AttemptView.Failed("budget");
          });
    } else {
      edge.settle();
    }
  }

  private static void check(
      TestEdgeDrain edge, EdgeDrain before, int attempts, boolean forcedBefore) {
    EdgeDrain drain = edge.drain;
    String what = before + "\n -> " + drain;
    if (drain.state() == NodeDrainState.COMPLETE && before.state() != NodeDrainState.COMPLETE) {
      assertThat(drain.ending()).as("complete has a reason: %s", what).isPresent();
      if (drain.ending().get() == Ending.DRAINED) {
        assertThat(before.phase()).as(what).isEqualTo(EdgeDrain.Phase.DRAINING);
      }
    }
    if (drain.disabled() || edge.clustered.filter(member -> !member).isPresent()) {
      assertThat(edge.attemptsStarted).as("no drain starts: %s", what).isEqualTo(attempts);
    }
    assertThat(drain.tries())
        .as(what)
        .isLessThanOrEqualTo(
            drain.phase() == EdgeDrain.Phase.CORDONING
                    || drain.state() == NodeDrainState.FAILEDCORDON
                ? EdgeSettings.CORDON_TRIES
                : Math.max(EdgeSettings.DRAIN_ATTEMPTS, EdgeSettings.CORDON_TRIES));
    if (edge.run != null) {
      assertThat(drain.phase())
          .as("runs only while draining: %s", what)
          .isEqualTo(EdgeDrain.Phase.DRAINING);
      assertThat(drain.heldSince()).as("evicts only while held: %s", what).isPresent();
    }
    if (drain.isActive()) {
      assertThat(drain.served()).as("somebody asked: %s", what).isNotEmpty();
      assertThat(edge.asked != null || edge.run != null || edge.rest.isBefore(Instant.MAX))
          .as("every state has an exit: %s", what)
          .isTrue();
    }
    assertThat(drain.disabled() && !forcedBefore && edge.force.isEmpty())
        .as("switched off only while the file is there: %s", what)
        .isFalse();
  }
}
