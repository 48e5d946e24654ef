package dev.drydock.drain.hold.decide;

import static dev.drydock.drain.engine.decide.TestFacts.START;
import static dev.drydock.drain.engine.decide.TestFacts.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.drain.hold.decide.Holds.Change;
import dev.drydock.drain.hold.decide.Holds.Notice;
import dev.drydock.drain.hold.decide.Holds.Notice.What;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HoldsTest {
  private static final Holds FREE = Holds.of(List.of(), false);
  private static final Holds CORDONED = Holds.of(List.of(), true);
  private static final Hold A = Hold.of("drain/a", "firmware", START);
  private static final Hold B = Hold.of("drain/b", "driver", START);

  @Test
  void theFirstHoldCordonsAndTheLastReleaseMakesSchedulable() {
    Holds both = FREE.place(A).holds().place(B).holds();

    assertThat(both.unschedulable()).isTrue();
    assertThat(both.release("drain/a").holds().unschedulable()).isTrue();
    assertThat(both.release("drain/a").holds().release("drain/b").holds()).isEqualTo(FREE);
  }

  @Test
  void aHoldThatBeginsAnewKeepsAllButItsStartAndNamesakesKeepTheirs() {
    Holds held = FREE.place(A.ownedBy("uid")).holds();
    Holds again = held.restart("drain/a", "uid", at(60)).holds();

    assertThat(again.byHolder())
        .containsEntry("drain/a", Hold.of("drain/a", "firmware", at(60)).ownedBy("uid"));
    assertThat(again.unschedulable()).isTrue();
    assertThat(held.restart("drain/a", "another", at(60)).holds()).isEqualTo(held);
    assertThat(held.restart("drain/b", "uid", at(60)).holds()).isEqualTo(held);
    assertThat(FREE.restart("drain/a", "uid", at(60)).holds()).isEqualTo(FREE);
  }

  @Test
  void aLongReasonDoesNotFillTheNodesAnnotations() {
    assertThat(Hold.of("team/a", "x".repeat(64_000), Instant.EPOCH).reason()).hasSize(1_000);
  }

  @Test
  void aCordonFromOutsideOutlivesAllHolds() {
    Change first = CORDONED.place(A);

    assertThat(whats(first)).containsExactly(What.PLACED, What.PLACED);
    assertThat(first.holds().byHolder()).containsOnlyKeys("drain/a", Hold.EXTERNAL);
    Holds released = first.holds().release("drain/a").holds();
    assertThat(released.unschedulable()).isTrue();
    assertThat(released.byHolder()).containsOnlyKeys(Hold.EXTERNAL);
    assertThat(released.place(B).holds().byHolder()).containsOnlyKeys("drain/b", Hold.EXTERNAL);
  }

  @Test
  void onlyAHolderNamesTheJobThatWorksForIt() {
    Hold.Work work = new Hold.Work("ops", "a-work-1", "");
    Holds held = FREE.place(A.ownedBy("u")).holds();

    Change named = held.work("drain/a", "u", work);

    assertThat(named.notices()).isEmpty();
    assertThat(named.holds().byHolder()).containsEntry("drain/a", A.ownedBy("u").working(work));
    assertThat(named.holds().place(A.ownedBy("u")).holds()).isEqualTo(named.holds());
    assertThat(held.work("drain/a", "another", work).holds()).isEqualTo(held);
    assertThat(held.work("drain/b", "u", work).holds()).isEqualTo(held);
    assertThat(FREE.work("drain/a", "u", work).holds()).isEqualTo(FREE);
    Holds uncordoned = new Holds(held.byHolder(), false);
    assertThat(uncordoned.work("drain/a", "u", work).holds()).isEqualTo(FREE);
    Holds gone = named.holds().disown(A.ownedBy("u").working(work)).holds();
    assertThat(gone.byHolder().values())
        .singleElement()
        .satisfies(hold -> assertThat(hold.work()).as(hold.holder()).contains(work));
  }

  @Test
  void aDrainTakesThePlaceOfItsNamesakeAndInheritsNothing() {
    Hold mine = Hold.of("drain/a", "mine", at(60)).ownedBy("mine");
    Holds namesakes = FREE.place(A.ownedBy("theirs").working(new Hold.Work("n", "j", "u"))).holds();

    Change taken = namesakes.claim(mine);

    assertThat(taken.holds().byHolder().values()).containsExactly(mine);
    assertThat(taken.notices())
        .extracting(Holds.Notice::what)
        .containsExactly(Holds.Notice.What.RELEASED, Holds.Notice.What.PLACED);
    assertThat(taken.holds().release("drain/a", "theirs").holds()).isEqualTo(taken.holds());
    assertThat(taken.holds().release("drain/a", "mine").holds()).isEqualTo(FREE);
  }

  @Test
  void aHoldWithoutAnOwnerIsContinuedWithItsTimeAndThenNamesItsOwner() {
    Holds old = FREE.place(A).holds();

    Holds claimed = old.claim(Hold.of("drain/a", A.reason(), at(60)).ownedBy("mine")).holds();

    assertThat(claimed.byHolder().values()).containsExactly(A.ownedBy("mine"));
    assertThat(old.release("drain/a", "mine").holds()).isEqualTo(FREE);
  }

  @Test
  void whoNamesNoOwnerChangesAHoldButNotItsOwner() {
    Holds held = FREE.place(A.ownedBy("mine")).holds();
    Hold unnamed = Hold.of("drain/a", "new", at(60));

    Hold changed = Hold.of("drain/a", "new", START).ownedBy("mine");
    assertThat(held.place(unnamed).holds().byHolder().values()).containsExactly(changed);
    assertThat(held.claim(unnamed).holds().byHolder().values()).containsExactly(changed);
    assertThat(held.place(A)).isEqualTo(new Change(held, List.of()));
    assertThat(held.place(A).holds().claim(unnamed.ownedBy("another")).holds().byHolder().values())
        .containsExactly(unnamed.ownedBy("another"));
  }

  @Test
  void orphansEndTogetherUnlessTheyChanged() {
    Holds held = FREE.place(A.ownedBy("new")).holds().place(B).holds();

    assertThat(held.endOrphans(List.of(A.ownedBy("old"), B), List.of()).holds().byHolder())
        .containsOnlyKeys("drain/a");
    assertThat(held.endOrphans(List.of(B), List.of(A.ownedBy("new"))).holds().byHolder())
        .containsOnlyKeys("gone/drain/a");
    assertThat(held.endOrphans(List.of(A.ownedBy("new"), B), List.of()).holds()).isEqualTo(FREE);
  }

  @Test
  void whoJoinsHoldsOnlyANodeThatIsOut() {
    Holds held = FREE.place(A).holds();

    assertThat(held.join(B).holds().byHolder()).containsOnlyKeys("drain/a", "drain/b");
    assertThat(CORDONED.join(B).holds().byHolder()).containsOnlyKeys("drain/b", Hold.EXTERNAL);
    assertThat(FREE.join(B).holds()).isEqualTo(FREE);
    Holds uncordoned = new Holds(held.byHolder(), false);
    assertThat(uncordoned.join(B).holds()).isEqualTo(FREE);
  }

  @Test
  void placingTwiceIsPlacingOnce() {
    Holds once = FREE.place(A).holds();
    Change again = once.place(Hold.of("drain/a", "firmware", at(60)));

    assertThat(again.holds()).isEqualTo(once);
    assertThat(again.notices()).isEmpty();
  }

  @Test
  void anOwnerMayChangeReasonAndEndButNotTheBeginning() {
    Change changed = FREE.place(A).holds().place(Hold.of("drain/a", "new", at(60)).until(at(90)));

    assertThat(changed.holds().byHolder())
        .containsEntry("drain/a", Hold.of("drain/a", "new", START).until(at(90)));
    assertThat(whats(changed)).containsExactly(What.CHANGED);
  }

  @Test
  void nobodyReleasesAnothersHold() {
    Holds held = FREE.place(A).holds();

    assertThat(held.release("drain/b")).isEqualTo(new Change(held, List.of()));
    assertThatThrownBy(() -> held.release(Hold.EXTERNAL)).hasMessageContaining("external");
    assertThatThrownBy(() -> held.place(Hold.of(Hold.EXTERNAL, "x", START)))
        .hasMessageContaining("choose another holder");
  }

  @Test
  void aHoldEndsAtItsTime() {
    Holds held = FREE.place(A.until(at(60))).holds().place(B.until(at(90))).holds();

    assertThat(held.nextExpiry()).contains(at(60));
    assertThat(held.expire(at(60).minusNanos(1)).notices()).isEmpty();
    Change first = held.expire(at(60));
    assertThat(whats(first)).containsExactly(What.EXPIRED);
    assertThat(first.holds().unschedulable()).isTrue();
    assertThat(held.expire(at(90)).holds()).isEqualTo(FREE);
  }

  @Test
  void aPersonWhoUncordonsWinsAndTheOwnersAreTold() {
    Holds uncordoned = Holds.of(List.of(A, B), false);

    Change change = uncordoned.observe();
    assertThat(change.holds()).isEqualTo(FREE);
    assertThat(change.notices())
        .containsExactly(new Notice(What.DROPPED, A), new Notice(What.DROPPED, B));
    assertThat(uncordoned.release("drain/a").holds()).isEqualTo(FREE);
  }

  @Test
  void placingAfterAManualUncordonHoldsAnewAndOnlyForTheNewHolder() {
    Change change = Holds.of(List.of(A), false).place(B);

    assertThat(change.holds()).isEqualTo(Holds.of(List.of(B), true));
    assertThat(whats(change)).containsExactly(What.DROPPED, What.PLACED);
  }

  @Test
  void observingANodeInOrderChangesNothing() {
    for (Holds holds : List.of(FREE, CORDONED, FREE.place(A).holds())) {
      assertThat(holds.observe()).isEqualTo(new Change(holds, List.of()));
    }
  }

  @Test
  void aPersonMayReleaseEverything() {
    Change change = CORDONED.place(A).holds().releaseEverything();

    assertThat(change.holds()).isEqualTo(FREE);
    assertThat(whats(change)).containsExactly(What.FORCED, What.FORCED);
    assertThat(CORDONED.releaseEverything().holds()).isEqualTo(FREE);
  }

  @Test
  void whoGivesANodeBackTakesACordonFromOutsideAlong() {
    Change change = CORDONED.place(A).holds().releaseWithCordon("drain/a");

    assertThat(change.holds()).isEqualTo(FREE);
    assertThat(whats(change)).containsExactly(What.RELEASED, What.RELEASED);
    assertThat(CORDONED.releaseWithCordon("drain/a")).isEqualTo(new Change(FREE, List.of()));
    assertThat(FREE.releaseWithCordon("drain/a")).isEqualTo(new Change(FREE, List.of()));
  }

  @Test
  void whoGivesANodeBackLeavesTheHoldsOfOthers() {
    Holds both = CORDONED.place(A).holds().place(B).holds();

    Holds given = both.releaseWithCordon("drain/a").holds();

    assertThat(given).isEqualTo(Holds.of(List.of(B), true));
    assertThat(given.releaseWithCordon("drain/a")).isEqualTo(new Change(given, List.of()));
    assertThat(given.release("drain/b").holds()).isEqualTo(FREE);
    assertThatThrownBy(() -> both.releaseWithCordon(Hold.EXTERNAL))
        .hasMessageContaining("external");
  }

  @Test
  void aNodeThatAPersonUncordonedNeedNotBeGivenBack() {
    Change change = Holds.of(List.of(A, B), false).releaseWithCordon("drain/a");

    assertThat(change.holds()).isEqualTo(FREE);
    assertThat(whats(change)).containsExactly(What.DROPPED, What.DROPPED);
  }

  @Test
  void holdsThatMakeNoSenseAreRefusedInOneLine() {
    assertThatThrownBy(() -> Hold.of(" ", "x", START)).hasMessageContaining("needs a holder");
    assertThatThrownBy(() -> Hold.of("a\nb", "x", START)).hasMessageContaining("needs a holder");
    assertThatThrownBy(() -> A.until(START)).hasMessageContaining("must end after it begins");
  }

  @Test
  void theOrderOfPlacingDoesNotMatter() {
    assertThat(FREE.place(A).holds().place(B).holds())
        .isEqualTo(FREE.place(B).holds().place(A).holds());
    assertThat(CORDONED.place(A).holds().place(B).holds())
        .isEqualTo(CORDONED.place(B).holds().place(A).holds());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyInterleavingKeepsLedgerAndCordonTogether(long seed) {
    Random random = new Random(seed);
    Holds holds = FREE;
    Set<String> expected = new HashSet<>();
    Instant now = START;
    for (int step = 0; step < 2000; step++) {
      String holder = "h" + random.nextInt(5);
      now = now.plusSeconds(random.nextInt(20));
      Change change =
          switch (random.nextInt(10)) {
            case 0, 1, 2 -> {
              expected.add(holder);
              Hold hold = Hold.of(holder, "r" + random.nextInt(2), now);
              yield holds.place(random.nextBoolean() ? hold : hold.until(now.plusSeconds(60)));
            }
            case 3, 4, 5 -> {
              expected.remove(holder);
              yield holds.release(holder);
            }
            case 6, 7 -> {
              Instant time = now;
              holds.byHolder().values().stream()
                  .filter(hold -> ended(hold, time))
                  .forEach(hold -> expected.remove(hold.holder()));
              yield holds.expire(now);
            }
            case 8 -> {
              expected.clear();
              yield new Holds(holds.byHolder(), false).observe();
            }
            default -> {
              // Someone cordons by hand, which only shows while there are no holds.
              Holds cordoned = new Holds(holds.byHolder(), true);
              Change placed = cordoned.place(Hold.of(holder, "r", now));
              expected.add(holder);
              if (holds.byHolder().isEmpty()) {
                expected.add(Hold.EXTERNAL);
              }
              yield placed;
            }
          };
      holds = change.holds();
      assertThat(holds.byHolder().keySet()).as("seed %d step %d", seed, step).isEqualTo(expected);
      assertThat(holds.unschedulable())
          .as("seed %d step %d", seed, step)
          .isEqualTo(!holds.byHolder().isEmpty());
      assertThat(holds.observe().notices()).isEmpty();
    }
  }

  private static boolean ended(Hold hold, Instant now) {
    return hold.until().map(end -> !end.isAfter(now)).orElse(false);
  }

  private static List<What> whats(Change change) {
    return change.notices().stream().map(Notice::what).collect(Collectors.toList());
  }

  @Test
  void holdsWithoutEndHaveNoExpiry() {
    assertThat(FREE.place(A).holds().nextExpiry()).isEqualTo(Optional.empty());
  }
}
