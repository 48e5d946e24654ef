package dev.drydock.drain.hold.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldLossTest {
  private static final String OURS = "test/drain";

  private static HoldLoss loss(boolean held, boolean unschedulable, boolean holdAgain) {
    Hold other = Hold.of("test/other", "", Instant.EPOCH);
    List<Hold> holds = held ? List.of(other, Hold.of(OURS, "", Instant.EPOCH)) : List.of(other);
    return HoldLoss.of(Holds.of(holds, unschedulable), OURS, holdAgain);
  }

  @Test
  void aNodeThatIsHeldLosesNothing() {
    assertThat(loss(true, true, false)).isEqualTo(new HoldLoss.None());
    assertThat(loss(true, true, true)).isEqualTo(new HoldLoss.None());
  }

  @Test
  void whoUncordonsTheNodeOrReleasesItsHoldCallsTheDrainOff() {
    assertThat(loss(true, false, false)).isEqualTo(new HoldLoss.CalledOff(true));
    assertThat(loss(false, false, false)).isEqualTo(new HoldLoss.CalledOff(true));
    assertThat(loss(false, true, false)).isEqualTo(new HoldLoss.CalledOff(false));
    assertThat(new HoldLoss.CalledOff(true).message()).isEqualTo("the node was uncordoned");
    assertThat(new HoldLoss.CalledOff(false).message()).isEqualTo("its hold was released");
  }

  @Test
  void theHoldOfANamesakeIsNotItsOwn() {
    Hold others = Hold.of(OURS, "", Instant.EPOCH).ownedBy("another");
    Hold old = Hold.of(OURS, "", Instant.EPOCH);

    assertThat(HoldLoss.of(Holds.of(List.of(others), true), OURS, Optional.of("mine"), false))
        .isEqualTo(new HoldLoss.CalledOff(false));
    assertThat(HoldLoss.of(Holds.of(List.of(others), true), OURS, Optional.of("another"), false))
        .isEqualTo(new HoldLoss.None());
    assertThat(HoldLoss.of(Holds.of(List.of(old), true), OURS, Optional.of("mine"), false))
        .isEqualTo(new HoldLoss.None());
  }

  @Test
  void unlessTheTaskHoldsAgain() {
    assertThat(loss(true, false, true)).isEqualTo(new HoldLoss.HoldAgain(true));
    assertThat(loss(false, false, true)).isEqualTo(new HoldLoss.HoldAgain(true));
    assertThat(loss(false, true, true)).isEqualTo(new HoldLoss.HoldAgain(false));
  }

  @Test
  void aDrainThatAnEarlierProcessBeganEndsIfAPersonUncordonedTheNodeMeanwhile() {
    Hold ours = Hold.of(OURS, "", Instant.EPOCH).ownedBy("mine");
    Holds voided = Holds.of(List.of(ours), false);
    Holds cleared = Holds.of(List.of(), false);
    Holds held = Holds.of(List.of(ours), true);
    Holds ofOthers = Holds.of(List.of(Hold.of("others", "", Instant.EPOCH)), true);

    assertThat(since(EarlierDrain.HELD, voided)).isEqualTo(new HoldLoss.CalledOff(true));
    assertThat(since(EarlierDrain.HELD, cleared))
        .isEqualTo(new HoldLoss.CalledOff(true, HoldLoss.NOTHING_LEFT));
    assertThat(since(EarlierDrain.HELD, ofOthers)).isEqualTo(new HoldLoss.CalledOff(false));
    assertThat(since(EarlierDrain.HELD, held)).isEqualTo(new HoldLoss.None());
    assertThat(since(EarlierDrain.BEGUN, voided)).isEqualTo(new HoldLoss.CalledOff(true));
    assertThat(since(EarlierDrain.BEGUN, cleared)).isEqualTo(new HoldLoss.None());
    assertThat(since(EarlierDrain.BEGUN, held)).isEqualTo(new HoldLoss.None());
    assertThat(since(EarlierDrain.NONE, voided)).isEqualTo(new HoldLoss.None());
    assertThat(since(EarlierDrain.NONE, cleared)).isEqualTo(new HoldLoss.None());
  }

  private static HoldLoss since(EarlierDrain earlier, Holds holds) {
    return HoldLoss.since(earlier, holds, OURS, Optional.of("mine"));
  }
}
