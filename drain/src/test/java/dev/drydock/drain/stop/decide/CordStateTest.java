package dev.drydock.drain.stop.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.stop.decide.CordState.Sight;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Walks through everything that can happen to the cord and to the sight of it, in any order. */
class CordStateTest {
  private static final Optional<String> NONE = Optional.empty();
  private static final Optional<String> PULL = Optional.of("smoke");
  private static final Optional<String> UNSYNCED = Optional.of("cut off");
  private static final List<Sight> SIGHTS =
      List.of(
          new Sight(NONE, NONE),
          new Sight(PULL, NONE),
          new Sight(NONE, UNSYNCED),
          new Sight(PULL, UNSYNCED));
  private static final Duration TICK = Duration.ofMinutes(1);

  /**
   * What a process knows and what is true.
   *
   * @param pulled whether the last sight of the cord showed a pull, or one that was not confirmed
   *     to be released
   * @param blind for how long it is out of sight, if it is; no longer than matters
   */
  private record World(CordState state, Sight sight, boolean pulled, int blind, int now) {
    Duration elapsed() {
      return TICK.multipliedBy(now);
    }

    Optional<String> stopped() {
      return state.stopped(sight, elapsed());
    }

    World see(Sight next, int minutes) {
      int then = now + minutes;
      boolean inSight = next.unsynced().isEmpty();
      int blindFor = inSight ? -1 : blind < 0 ? 0 : blind + minutes;
      return new World(
          state.next(next, TICK.multipliedBy(then)),
          next,
          pulled || next.pulled().isPresent(),
          blindFor,
          then);
    }

    World confirm() {
      boolean gone = sight.pulled().isEmpty() && sight.unsynced().isEmpty();
      return new World(state.released(sight), sight, pulled && !gone, blind, now);
    }

    /** With the time counted from when it went out of sight, so that there are few of them. */
    World normal() {
      int counted = Math.min(Math.max(blind, 0), 4);
      return new World(
          new CordState(state.seen(), state.standing(), state.blindSince().map(_ -> Duration.ZERO)),
          sight,
          pulled,
          Math.min(blind, 4),
          counted);
    }
  }

  private static Set<World> reachable() {
    Deque<World> open = new ArrayDeque<>();
    Set<World> all = new HashSet<>();
    for (Sight sight : SIGHTS) {
      open.add(
          new World(CordState.UNSEEN, new Sight(NONE, UNSYNCED), false, -1, 0)
              .see(sight, 0)
              .normal());
    }
    while (!open.isEmpty()) {
      World world = open.poll();
      if (all.add(world)) {
        List<World> next = new ArrayList<>(List.of(world.confirm()));
        for (Sight sight : SIGHTS) {
          next.add(world.see(sight, 0));
          next.add(world.see(sight, 1));
        }
        next.forEach(each -> open.add(each.normal()));
      }
    }
    return all;
  }

  @Test
  void aPullStandsUntilItsReleaseIsConfirmed() {
    for (World world : reachable()) {
      assertThat(world.state().standing().isPresent()).as("%s", world).isEqualTo(world.pulled());
      if (world.pulled()) {
        assertThat(world.stopped()).as("%s", world).isPresent();
      }
    }
  }

  @Test
  void aCordThatWasNeverSeenOrIsOutOfSightForLongCountsAsPulled() {
    for (World world : reachable()) {
      boolean unknown = !world.state().seen() || world.blind() >= 3;
      if (unknown) {
        assertThat(world.stopped()).contains("cannot read the andon cord: cut off");
      } else {
        assertThat(world.stopped())
            .as("a moment without sight changes nothing: %s", world)
            .isEqualTo(world.state().standing());
      }
    }
  }

  @Test
  void onlyACordThatIsInSightAndGoneAwaitsConfirmation() {
    for (World world : reachable()) {
      boolean awaits = world.state().awaitsConfirmation(world.sight());
      boolean inSight = world.sight().unsynced().isEmpty();
      assertThat(awaits)
          .as("%s", world)
          .isEqualTo(world.pulled() && inSight && world.sight().pulled().isEmpty());
      assertThat(world.state().released(world.sight()).equals(world.state())).isEqualTo(!awaits);
    }
  }

  @Test
  void theWalkSeesEveryKindOfWorld() {
    Set<World> all = reachable();
    assertThat(all).hasSizeGreaterThan(20);
    assertThat(all).anyMatch(world -> world.stopped().isEmpty() && world.blind() == 2);
    assertThat(all).anyMatch(world -> world.blind() >= 3 && world.state().seen());
    assertThat(all).anyMatch(world -> !world.state().seen() && world.pulled());
  }

  @Test
  void blindnessBeginsOnceAndEndsWithSight() {
    Sight blind = new Sight(NONE, UNSYNCED);
    CordState seen = CordState.UNSEEN.next(new Sight(NONE, NONE), TICK);
    CordState first = seen.next(blind, TICK.multipliedBy(2));
    CordState later = first.next(blind, TICK.multipliedBy(4));

    assertThat(later.blindSince()).contains(TICK.multipliedBy(2));
    assertThat(later.stopped(blind, TICK.multipliedBy(5).minusNanos(1))).isEmpty();
    assertThat(later.stopped(blind, TICK.multipliedBy(5))).isPresent();
    assertThat(later.next(new Sight(NONE, NONE), TICK.multipliedBy(6)).blindSince()).isEmpty();
  }
}
