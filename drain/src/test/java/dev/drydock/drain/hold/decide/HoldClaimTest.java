package dev.drydock.drain.hold.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.hold.decide.HoldClaim.Claimant;
import dev.drydock.drain.hold.decide.HoldClaim.Failure;
import dev.drydock.drain.hold.decide.HoldClaim.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Walks through everything that can happen to the hold of a drain. */
class HoldClaimTest {
  private static final String OURS = "test/drain";
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final Instant BEFORE = NOW.minusSeconds(60);
  private static final Optional<String> CORD = Optional.of("stopped by ops");
  private static final List<Optional<String>> CORDS = List.of(Optional.empty(), CORD);

  private static List<Claimant> claimants() {
    List<Claimant> all = new ArrayList<>();
    for (Optional<String> owner : List.of(Optional.<String>empty(), Optional.of("uid"))) {
      for (EarlierDrain earlier : EarlierDrain.values()) {
        for (boolean holdAgain : List.of(false, true)) {
          for (boolean patient : List.of(false, true)) {
            all.add(new Claimant(OURS, owner, "why", holdAgain, patient, earlier));
          }
        }
      }
    }
    return all;
  }

  /**
   * Nobody's, ours, a namesake's and another's, on a node that is cordoned and on one that is not.
   */
  private static List<Holds> holds() {
    Hold ours = Hold.of(OURS, "why", BEFORE);
    Hold other = Hold.of("test/other", "", BEFORE);
    List<Holds> all = new ArrayList<>();
    for (boolean cordoned : List.of(false, true)) {
      all.add(Holds.of(List.of(), cordoned));
      all.add(Holds.of(List.of(other), cordoned));
      all.add(Holds.of(List.of(ours), cordoned));
      all.add(Holds.of(List.of(ours.ownedBy("uid"), other), cordoned));
      all.add(Holds.of(List.of(ours.ownedBy("namesake")), cordoned));
    }
    return all;
  }

  /** All claims that can follow from one. */
  private static List<HoldClaim> next(HoldClaim claim) {
    List<HoldClaim> next = new ArrayList<>();
    if (claim.isDue()) {
      for (Failure failure : Failure.values()) {
        next.add(claim.failed(failure, "no answer"));
      }
      for (Holds holds : holds()) {
        for (Optional<String> cord : CORDS) {
          HoldClaim.Attempt attempt = claim.attempt(holds, cord, NOW);
          next.add(claim.after(attempt.instead(), attempt.change().holds()));
          next.add(claim.after(attempt.instead(), holds));
        }
      }
    }
    if (claim.state() instanceof State.Placed) {
      next.add(claim.replaced());
      for (Holds holds : holds()) {
        if (claim.loss(holds) instanceof HoldLoss.CalledOff loss) {
          next.add(claim.calledOff(loss.message()));
        }
      }
    }
    return next;
  }

  private static Set<HoldClaim> reachable(Claimant claimant) {
    Set<HoldClaim> known = new HashSet<>();
    Deque<HoldClaim> open = new ArrayDeque<>(List.of(HoldClaim.begin(claimant)));
    while (!open.isEmpty()) {
      HoldClaim claim = open.pop();
      if (known.add(claim)) {
        open.addAll(next(claim));
      }
    }
    return known;
  }

  @Test
  void everyStateIsReachedAndIsEitherHeldOrOverOrToBeTriedAgain() {
    Set<Class<?>> states = new HashSet<>();
    for (Claimant claimant : claimants()) {
      for (HoldClaim claim : reachable(claimant)) {
        states.add(claim.state().getClass());
        boolean placed = claim.state() instanceof State.Placed;
        boolean over =
            claim.state() instanceof State.Impossible || claim.state() instanceof State.CalledOff;
        assertThat(List.of(placed, over, claim.isDue())).as("%s", claim).containsOnlyOnce(true);
        assertThat(claim.notHeld().isPresent() && !claim.isDue()).as("%s", claim).isFalse();
        if (placed) {
          assertThat(claim.since()).isPresent();
        } else if (!over) {
          assertThat(claim.since()).isEmpty();
        }
        if (claim.state() instanceof State.Waiting) {
          assertThat(claimant.patient()).as("%s", claim).isTrue();
        }
      }
    }
    assertThat(states).containsExactlyInAnyOrder(State.class.getPermittedSubclasses());
  }

  @Test
  void whileTheCordIsPulledNoNodeIsHeldThatWasNot() {
    everyAttempt(
        CORD,
        (claim, holds, attempt) -> {
          boolean held = holds.heldBy(OURS, claim.claimant().owner());
          if (!held) {
            assertThat(attempt.change()).isEqualTo(holds.observe());
            assertThat(attempt.instead()).isPresent();
          }
        });
  }

  @Test
  void otherwiseItIsHeldUnlessAPersonEndedTheDrain() {
    everyAttempt(
        Optional.empty(),
        (claim, holds, attempt) -> {
          Claimant claimant = claim.claimant();
          boolean again = claim.heldBefore().isPresent();
          HoldLoss loss =
              HoldLoss.since(
                  again ? EarlierDrain.NONE : claimant.earlier(), holds, OURS, claimant.owner());
          if (loss instanceof HoldLoss.CalledOff ended) {
            assertThat(attempt.instead())
                .contains(new State.CalledOff(ended.message(), Optional.empty()));
            assertThat(attempt.change()).isEqualTo(holds.observe());
          } else {
            assertThat(attempt.instead()).isEmpty();
            Holds after = attempt.change().holds();
            assertThat(after.unschedulable()).isTrue();
            assertThat(after.heldBy(OURS, claimant.owner())).isTrue();
          }
        });
  }

  private interface Check {
    void check(HoldClaim claim, Holds holds, HoldClaim.Attempt attempt);
  }

  private static void everyAttempt(Optional<String> cord, Check check) {
    for (Claimant claimant : claimants()) {
      for (HoldClaim claim : reachable(claimant)) {
        for (Holds holds : holds()) {
          if (claim.isDue()) {
            check.check(claim, holds, claim.attempt(holds, cord, NOW));
          }
        }
      }
    }
  }

  @Test
  void theHoldOnANodeThatWasCreatedAgainKeepsItsTime() {
    Claimant claimant =
        new Claimant(OURS, Optional.empty(), "why", false, false, EarlierDrain.HELD);
    HoldClaim placed = placed(claimant, Holds.of(List.of(Hold.of(OURS, "why", BEFORE)), true));
    assertThat(placed.since()).contains(BEFORE);

    HoldClaim again = placed.replaced();

    // nobody ended the drain, although the new Node has no hold
    HoldClaim.Attempt attempt =
        again.attempt(Holds.of(List.of(), false), Optional.empty(), NOW.plusSeconds(9));
    assertThat(again.after(attempt.instead(), attempt.change().holds()).state())
        .isEqualTo(new State.Placed(BEFORE));
  }

  @Test
  void aDrainThatAPersonEndedSaysSinceWhenItsNodeWasHeld() {
    Claimant claimant =
        new Claimant(OURS, Optional.empty(), "why", false, false, EarlierDrain.NONE);
    HoldClaim placed = placed(claimant, Holds.of(List.of(), false));

    assertThat(placed.calledOff("the node was uncordoned").since()).contains(NOW);
    assertThat(placed.calledOff("the node was uncordoned").isDue()).isFalse();
  }

  @Test
  void aHoldThatTheServerDroppedIsPlacedAgain() {
    Claimant claimant =
        new Claimant(OURS, Optional.empty(), "why", false, false, EarlierDrain.NONE);
    HoldClaim claim = HoldClaim.begin(claimant);

    assertThat(claim.after(Optional.empty(), Holds.of(List.of(), false)).state())
        .isEqualTo(new State.Pending("the server did not keep the hold"));
  }

  @Test
  void holdersThatWaitForRoomLookAtDifferentTimes() {
    Set<Duration> times = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      Claimant claimant =
          new Claimant("test/" + i, Optional.empty(), "", false, true, EarlierDrain.NONE);
      times.add(HoldClaim.begin(claimant).lookAgainIn());
    }
    assertThat(times)
        .hasSizeGreaterThan(10)
        .allMatch(time -> time.toSeconds() >= 10 && time.toSeconds() < 20);
  }

  private static HoldClaim placed(Claimant claimant, Holds holds) {
    HoldClaim claim = HoldClaim.begin(claimant);
    HoldClaim.Attempt attempt = claim.attempt(holds, Optional.empty(), NOW);
    return claim.after(attempt.instead(), attempt.change().holds());
  }
}
