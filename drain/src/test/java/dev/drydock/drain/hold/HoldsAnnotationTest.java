package dev.drydock.drain.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HoldsAnnotationTest {
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00.123Z");

  @Test
  void writesWhatItReads() {
    Holds holds =
        Holds.of(
            List.of(
                Hold.of("b", "", SINCE),
                Hold.of("a", "why \"so\"", SINCE).until(SINCE.plusSeconds(9))),
            true);

    Optional<String> text = HoldsAnnotation.write(holds);

    assertThat(text)
        .contains(
            "{\"a\":{\"reason\":\"why \\\"so\\\"\",\"since\":\"2026-01-01T00:00:00.123Z\",\"until\":\"2026-01-01T00:00:09.123Z\"},"
                + "\"b\":{\"reason\":\"\",\"since\":\"2026-01-01T00:00:00.123Z\"}}");
    assertThat(HoldsAnnotation.read("n", text, true)).isEqualTo(holds);
  }

  @Test
  void keepsTheJobThatWorksForAHolder() {
    Holds holds =
        Holds.of(
            List.of(
                Hold.of("a", "", SINCE)
                    .ownedBy("u")
                    .working(new Hold.Work("ops", "a-work-1", "job-uid"))),
            true);

    Optional<String> text = HoldsAnnotation.write(holds);

    assertThat(text.orElseThrow())
        .contains("\"work\":{\"namespace\":\"ops\",\"job\":\"a-work-1\",\"uid\":\"job-uid\"}");
    assertThat(HoldsAnnotation.read("n", text, true)).isEqualTo(holds);
  }

  @Test
  void moreHoldsThanAllowedAreNotRead() {
    List<Hold> most =
        IntStream.range(0, Holds.MOST).mapToObj(i -> Hold.of("h/" + i, "", SINCE)).toList();
    Holds full = Holds.of(most, true);
    Holds more = full.place(Hold.of("h/more", "", SINCE)).holds();

    assertThat(HoldsAnnotation.read("n", HoldsAnnotation.write(full), true)).isEqualTo(full);
    assertThatThrownBy(() -> HoldsAnnotation.read("n", HoldsAnnotation.write(more), true))
        .isInstanceOf(HoldsUnreadable.class)
        .hasMessageContaining("65 holds, more than 64");
  }

  @Test
  void writesNothingForNoHolds() {
    assertThat(HoldsAnnotation.write(Holds.of(List.of(), false))).isEmpty();
    assertThat(HoldsAnnotation.read("n", Optional.empty(), true))
        .isEqualTo(Holds.of(List.of(), true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "words",
        "[]",
        "{\"a\": 1}",
        "{\"a\": {}}",
        "{\"a\": {\"since\": \"yesterday\"}}",
        "{\" a\": {\"since\": \"2026-01-01T00:00:00Z\"}}",
        "{\"a\": {\"since\": \"2026-01-01T00:00:00Z\"}"
      })
  void refusesWhatItDidNotWrite(String text) {
    assertThatThrownBy(() -> HoldsAnnotation.read("n1", Optional.of(text), true))
        .isInstanceOf(HoldsUnreadable.class)
        .hasMessageContaining("node n1: annotation drydock.dev/holds is not readable")
        .hasMessageContaining("kubectl");
  }
}
