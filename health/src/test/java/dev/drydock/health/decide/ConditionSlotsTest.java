package dev.drydock.health.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConditionSlotsTest {
  private static Map<String, Boolean> checks(String prefix, int number, boolean failed) {
    Map<String, Boolean> checks = new LinkedHashMap<>();
    for (int i = 0; i < number; i++) {
      checks.put(prefix + i, failed);
    }
    return checks;
  }

  @Test
  void asLongAsThereIsRoomAllAreShown() {
    assertThat(
            ConditionSlots.of(checks("old", ConditionSlots.MOST - 1, true), checks("new", 1, true)))
        .isEqualTo(new ConditionSlots(Set.of(), Set.of(), false));
  }

  @Test
  void aFailedCheckTakesThePlaceOfTheOneThatIsWellForLongest() {
    ConditionSlots slots =
        ConditionSlots.of(checks("well", ConditionSlots.MOST, false), checks("new", 2, true));

    assertThat(slots.removed()).containsExactlyInAnyOrder("well0", "well1");
    assertThat(slots.hidden()).isEmpty();
    assertThat(slots.full()).isFalse();
  }

  @Test
  void ofManyAtOnceThoseThatFailedComeFirst() {
    Map<String, Boolean> wanted = checks("well", 200, false);
    wanted.put("failed", true);

    ConditionSlots slots = ConditionSlots.of(Map.of(), wanted);

    assertThat(slots.hidden()).hasSize(200 - ConditionSlots.MOST + 1).doesNotContain("failed");
    assertThat(slots.full()).isFalse();
  }

  @Test
  void oneThatIsWellTakesNobodysPlaceAndIsNotMissed() {
    ConditionSlots slots =
        ConditionSlots.of(checks("well", ConditionSlots.MOST, false), checks("new", 1, false));

    assertThat(slots.hidden()).containsExactly("new0");
    assertThat(slots.full()).isFalse();
  }

  @Test
  void withoutAPlaceAFailedCheckIsHiddenAndThatIsTold() {
    ConditionSlots slots =
        ConditionSlots.of(checks("old", ConditionSlots.MOST, true), checks("new", 1, true));

    assertThat(slots.hidden()).containsExactly("new0");
    assertThat(slots.removed()).isEmpty();
    assertThat(slots.full()).isTrue();
  }
}
