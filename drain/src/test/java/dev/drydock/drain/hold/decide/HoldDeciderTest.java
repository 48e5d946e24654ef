package dev.drydock.drain.hold.decide;

import static dev.drydock.drain.engine.decide.TestFacts.NODE;
import static dev.drydock.drain.engine.decide.TestFacts.START;
import static dev.drydock.drain.engine.decide.TestFacts.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.hold.decide.HoldDecider.Owner;
import dev.drydock.drain.hold.decide.HoldDecider.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldDeciderTest {
  private static final Instant NOW = at(100);
  private static final String UID = "uid-1";

  /** All that can be known about an owner; empty for a hold that is for no object. */
  private static List<Optional<Owner>> owners() {
    List<Optional<Owner>> all = new ArrayList<>(List.of(Optional.empty()));
    all.add(Optional.of(new Owner.Unknown()));
    for (boolean keepsHold : List.of(false, true)) {
      all.add(Optional.of(new Owner.Gone(keepsHold)));
      for (String uid : List.of(UID, "uid-2")) {
        for (String node : List.of(NODE, "n2", "")) {
          all.add(Optional.of(new Owner.Present(uid, node, keepsHold)));
        }
      }
    }
    return all;
  }

  private static List<Hold> holds(String holder) {
    Hold hold = Hold.of(holder, "work", START);
    return List.of(
        hold,
        hold.ownedBy(UID),
        hold.until(at(99)).ownedBy(UID),
        hold.until(NOW).ownedBy(UID),
        hold.until(at(101)).ownedBy(UID));
  }

  private static boolean isOver(Hold hold) {
    return hold.until().filter(end -> !end.isAfter(NOW)).isPresent();
  }

  private static Optional<Step> expected(Hold hold, Optional<Owner> owner) {
    if (isOver(hold) || owner.isEmpty()) {
      return Optional.empty();
    }
    boolean orphaned =
        switch (owner.get()) {
          case Owner.Unknown() -> false;
          case Owner.Gone(boolean keepsHold) -> true;
          case Owner.Present(String uid, String node, boolean keepsHold) ->
              !node.equals(NODE) || (hold.owner().isPresent() && !uid.equals(UID));
        };
    boolean keepsHold =
        switch (owner.get()) {
          case Owner.Unknown() -> false;
          case Owner.Gone(boolean stays) -> stays;
          case Owner.Present(String uid, String node, boolean stays) -> stays;
        };
    return orphaned
        ? Optional.of(keepsHold ? new Step.Disown(hold) : new Step.Release(hold))
        : Optional.empty();
  }

  /** Every hold with every owner beside every other hold with every other owner. */
  @Test
  void everyPairOfHoldsAndOwnersHasItsSteps() {
    for (Hold first : holds("a/1")) {
      for (Hold second : holds("b/2")) {
        for (Optional<Owner> firstOwner : owners()) {
          for (Optional<Owner> secondOwner : owners()) {
            check(first, firstOwner, second, secondOwner);
          }
        }
      }
    }
  }

  private static void check(
      Hold first, Optional<Owner> firstOwner, Hold second, Optional<Owner> secondOwner) {
    Holds holds = Holds.of(List.of(first, second), true);
    Map<String, Owner> owners = new HashMap<>();
    firstOwner.ifPresent(owner -> owners.put("a/1", owner));
    secondOwner.ifPresent(owner -> owners.put("b/2", owner));
    List<Step> expected = new ArrayList<>();
    if (isOver(first) || isOver(second)) {
      expected.add(new Step.Expire());
    }
    expected(first, firstOwner).ifPresent(expected::add);
    expected(second, secondOwner).ifPresent(expected::add);
    assertThat(HoldDecider.decide(NODE, holds, owners, NOW))
        .as("%s of %s and %s of %s", first, firstOwner, second, secondOwner)
        .isEqualTo(expected);
  }

  @Test
  void allHoldsOfAnUncordonedNodeAreDroppedWhateverTheirOwnersAndTimes() {
    for (Hold hold : holds("a/1")) {
      Holds holds = Holds.of(List.of(hold), false);

      assertThat(HoldDecider.dependsOnOwners(holds)).isFalse();
      assertThat(HoldDecider.decide(NODE, holds, Map.of("a/1", new Owner.Gone(false)), NOW))
          .containsExactly(new Step.Drop());
      assertThat(HoldDecider.again(holds, NOW)).isEqualTo(Instant.MAX);
    }
  }

  @Test
  void aCordonFromOutsideIsNobodysHold() {
    Holds holds = Holds.of(List.of(), true).place(Hold.of("a/1", "work", START)).holds();

    assertThat(HoldDecider.decide(NODE, holds, Map.of("a/1", new Owner.Gone(false)), NOW))
        .containsExactly(new Step.Release(Hold.of("a/1", "work", START)));
  }

  @Test
  void timeAloneBringsOnlyTheNextExpiry() {
    Hold over = Hold.of("a/1", "", START).until(at(99));
    Hold next = Hold.of("b/2", "", START).until(at(150));
    Hold later = Hold.of("c/3", "", START).until(at(200));

    assertThat(HoldDecider.again(Holds.of(List.of(over, next, later), true), NOW))
        .isEqualTo(at(150));
    assertThat(HoldDecider.again(Holds.of(List.of(over), true), NOW)).isEqualTo(Instant.MAX);
    assertThat(HoldDecider.again(Holds.of(List.of(), true), NOW)).isEqualTo(Instant.MAX);
  }
}
