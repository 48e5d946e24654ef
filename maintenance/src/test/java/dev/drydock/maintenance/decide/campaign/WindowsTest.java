package dev.drydock.maintenance.decide.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.GoDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsTest {
  private static final String BERLIN = "Europe/Berlin";

  /** Five years have two and a half million minutes; days are all that is looked at. */
  @Test
  void exclusionsOfEveryMinuteAreSkippedByTheDay() {
    Instant now = at("2026-03-04T02:00:00Z");
    for (String zone : List.of("UTC", "Europe/Berlin", "Australia/Lord_Howe")) {
      Window minutes = every("* * * 1-11 *", zone, "1m");
      Window quarters = every("*/15 * * * *", zone, "15m");

      assertThat(minutes.coveredUntil(now).orElseThrow()).as(zone).isAfter(now.plusSeconds(3600));
      assertThat(quarters.coveredUntil(now).orElseThrow()).as(zone).isAfter(now.plusSeconds(3600));
      assertThat(every("*/15 * * * *", zone, "14m").coveredUntil(now))
          .as(zone)
          .contains(now.plusSeconds(14 * 60));
    }
    assertThat(new Windows(List.of(), List.of(every("* * * 1-11 *", "UTC", "1m"))).nextOpening(now))
        .contains(at("2026-12-01T00:00:00Z"));
    // In the hour that a clock change repeats, starts count only the first time.
    assertThat(
            new Windows(List.of(), List.of(every("* * * * *", "Europe/Berlin", "1m")))
                .nextOpening(now))
        .contains(at("2026-10-25T01:00:00Z"));
  }

  @Test
  void alternatingExclusionsDoNotTakeForEver() {
    Instant now = at("2026-03-04T02:00:00Z");
    Windows alternating =
        new Windows(
            List.of(),
            List.of(every("*/2 * * * *", "UTC", "1m"), every("1-59/2 * * * *", "UTC", "1m")));

    Instant asked = alternating.nextOpening(now).orElseThrow();

    assertThat(asked).as("when to ask again").isAfter(now.plus(Duration.ofDays(2)));
    assertThat(alternating.isOpen(asked)).isFalse();
  }

  /** All that a spec may say: as many as allowed, as long as allowed, in any zone. */
  @Test
  @Timeout(60)
  void noSpecTakesMoreThanABoundedNumberOfLooks() {
    List<String> zones = List.of("UTC", BERLIN, "Australia/Lord_Howe", "Africa/Casablanca");
    Instant now = at("2026-03-28T23:00:00Z");
    List<Window> never = new ArrayList<>();
    List<Window> dense = new ArrayList<>();
    for (int i = 0; i < 62; i++) {
      String zone = zones.get(i % zones.size());
      never.add(every(i % 60 + " 0 30 2 *", zone, "876000h"));
      never.add(every(i % 60 + " 0 31 2,4,6,9,11 *", zone, "875999h"));
      dense.add(every("%d-59/%d * * * *".formatted(i % 2, 2 + i % 3), zone, "1m"));
    }
    List<Window> alternating =
        List.of(every("*/2 * * * *", BERLIN, "1m"), every("1-59/2 * * * *", BERLIN, "1m"));

    for (List<Window> some : List.of(never, dense)) {
      List<Window> exclusions = new ArrayList<>(some);
      exclusions.addAll(alternating);
      for (List<Window> windows : List.of(List.<Window>of(), never, dense)) {
        Windows.Search search = new Windows(windows, exclusions).search(now);

        assertThat(search.looks()).isLessThan(Windows.MOST_LOOKS + 200);
        assertThat(search.complete()).isFalse();
      }
    }
    assertThat(new Windows(never, List.of()).search(now).looks()).isLessThan(200);
  }

  @Test
  void theSameWindowManyTimesIsOne() {
    List<Window> same = Collections.nCopies(64, every("* * * * *", BERLIN, "1m"));
    Instant now = at("2026-03-04T02:00:00Z");

    assertThat(new Windows(List.of(), same).search(now))
        .isEqualTo(new Windows(List.of(), same.subList(0, 1)).search(now));
  }

  /** The first whole minute that is closed; absent if none is open, or for a month. */
  private static Optional<Instant> closesAt(Windows windows, Instant now) {
    return windows.isOpen(now)
        ? Stream.iterate(now, time -> time.plus(Duration.ofMinutes(1)))
            .limit(Duration.ofDays(31).toMinutes())
            .filter(time -> !windows.isOpen(time))
            .findFirst()
        : Optional.empty();
  }

  @Test
  void withoutWindowsItIsAlwaysOpen() {
    Instant now = at("2026-03-04T10:00:00Z");

    assertThat(Windows.ALWAYS.isOpen(now)).isTrue();
    assertThat(Windows.ALWAYS.nextOpening(now)).contains(now);
    assertThat(closesAt(Windows.ALWAYS, now)).isEmpty();
  }

  @Test
  void aWindowIsOpenFromItsMinuteUntilItsEnd() {
    Windows nights = windows(every("0 2 * * *", "UTC", "3h"));

    assertThat(nights.isOpen(at("2026-03-04T01:59:59.999Z"))).isFalse();
    assertThat(nights.isOpen(at("2026-03-04T02:00:00Z"))).isTrue();
    assertThat(nights.isOpen(at("2026-03-04T04:59:59.999Z"))).isTrue();
    assertThat(nights.isOpen(at("2026-03-04T05:00:00Z"))).isFalse();
    assertThat(nights.nextOpening(at("2026-03-04T05:00:00Z"))).contains(at("2026-03-05T02:00:00Z"));
    assertThat(nights.nextOpening(at("2026-03-04T03:30:00Z"))).contains(at("2026-03-04T03:30:00Z"));
    assertThat(closesAt(nights, at("2026-03-04T03:30:00Z"))).contains(at("2026-03-04T05:00:00Z"));
    assertThat(closesAt(nights, at("2026-03-04T05:00:00Z"))).isEmpty();
  }

  @Test
  void windowsThatTouchAreOne() {
    Windows both = windows(every("0 2 * * *", "UTC", "3h"), every("0 5 * * *", "UTC", "1h"));

    assertThat(closesAt(both, at("2026-03-04T02:00:00Z"))).contains(at("2026-03-04T06:00:00Z"));
    assertThat(closesAt(windows(every("0 * * * *", "UTC", "1h")), at("2026-03-04T02:00:00Z")))
        .as("open for ever")
        .isEmpty();
  }

  @Test
  void aWindowMayBeLongerThanTheTimeBetweenItsBeginnings() {
    Windows windows = windows(every("0 0 * * MON", "UTC", "216h"));

    assertThat(windows.isOpen(at("2026-03-04T10:00:00Z"))).isTrue();
    assertThat(closesAt(windows, at("2026-03-04T10:00:00Z"))).isEmpty();
  }

  @Test
  void anExclusionClosesWhatIsOpen() {
    Windows windows =
        new Windows(
            List.of(every("0 2 * * *", "UTC", "4h")),
            List.of(once("2026-03-04T03:00:00Z", "2026-03-05T03:00:00Z")));

    assertThat(windows.isOpen(at("2026-03-04T02:30:00Z"))).isTrue();
    assertThat(closesAt(windows, at("2026-03-04T02:30:00Z"))).contains(at("2026-03-04T03:00:00Z"));
    assertThat(windows.isOpen(at("2026-03-04T03:00:00Z"))).isFalse();
    assertThat(windows.nextOpening(at("2026-03-04T03:00:00Z")))
        .as("in the middle of the next night's window")
        .contains(at("2026-03-05T03:00:00Z"));
  }

  @Test
  void anExclusionMayRecur() {
    Windows noFridays = new Windows(List.of(), List.of(every("0 0 * * FRI", BERLIN, "24h")));

    assertThat(noFridays.nextOpening(at("2026-03-06T12:00:00Z")))
        .contains(at("2026-03-06T23:00:00Z"));
    assertThat(closesAt(noFridays, at("2026-03-04T12:00:00Z")))
        .contains(at("2026-03-05T23:00:00Z"));
  }

  @Test
  void whatNeverOpensIsFoundOut() {
    Instant now = at("2026-03-04T10:00:00Z");
    Window nights = every("0 2 * * *", "UTC", "3h");

    assertThat(windows(every("0 0 30 2 *", "UTC", "24h")).nextOpening(now)).isEmpty();
    assertThat(windows(every("0 0 31 4,6,9,11 *", "UTC", "1h")).nextOpening(now)).isEmpty();
    assertThat(
            new Windows(List.of(nights), List.of(every("0 1 * * *", "UTC", "4h"))).nextOpening(now))
        .isEmpty();
    assertThat(
            new Windows(
                    List.of(nights), List.of(once("2026-01-01T00:00:00Z", "2099-01-01T00:00:00Z")))
                .nextOpening(now))
        .isEmpty();
    assertThat(new Windows(List.of(), List.of(every("* * * * *", "UTC", "1m"))).nextOpening(now))
        .as("every minute excluded by itself")
        .isEmpty();
  }

  @Test
  void whatOpensRarelyIsNotTakenForNever() {
    assertThat(windows(every("0 0 29 2 *", "UTC", "24h")).nextOpening(at("2024-03-01T00:00:00Z")))
        .contains(at("2028-02-29T00:00:00Z"));
    assertThat(
            new Windows(List.of(), List.of(every("* * * 6-8 *", "UTC", "1m")))
                .nextOpening(at("2026-06-01T00:00:00Z")))
        .as("a summer excluded minute by minute")
        .contains(at("2026-09-01T00:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource({
    // the night to 29 March 2026 has no 02:00 to 03:00 in Berlin: it begins when the clocks change
    "30 2 * * *, 2026-03-29T00:00:00Z, 2026-03-29T01:00:00Z, 2026-03-29T02:00:00Z",
    // a window over the change lasts one hour of real time
    "30 1 * * *, 2026-03-29T00:00:00Z, 2026-03-29T00:30:00Z, 2026-03-29T01:30:00Z",
    // the night to 25 October has 02:00 to 03:00 twice: the first one counts
    "30 2 * * *, 2026-10-25T00:00:00Z, 2026-10-25T00:30:00Z, 2026-10-25T01:30:00Z",
    "0 3 * * *, 2026-10-25T00:00:00Z, 2026-10-25T02:00:00Z, 2026-10-25T03:00:00Z",
  })
  void clocksThatChange(String schedule, String from, String opens, String closes) {
    Windows windows = windows(every(schedule, BERLIN, "1h"));

    assertThat(windows.nextOpening(at(from))).contains(at(opens));
    assertThat(closesAt(windows, at(opens))).contains(at(closes));
    assertThat(windows.nextOpening(at(closes)))
        .as("not twice in one night")
        .hasValueSatisfying(
            next -> assertThat(next).isAfter(at(closes).plus(Duration.ofHours(20))));
  }

  @Test
  void aDayThatDoesNotExistBeginsWhenTheClocksChange() {
    // Samoa went from 29 to 31 December 2011
    Windows windows = windows(every("0 12 30 12 *", "Pacific/Apia", "1h"));

    assertThat(windows.nextOpening(at("2011-12-30T00:00:00Z")))
        .contains(at("2011-12-30T10:00:00Z"));
    assertThat(windows.isOpen(at("2011-12-30T10:30:00Z"))).isTrue();
  }

  /** Steps minute by minute through a week, and asks whether some beginning covers the minute. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void agreesWithLookingAtEveryMinute(long seed) {
    Random random = new Random(seed);
    List<String> zones = List.of(BERLIN, "America/New_York", "Australia/Lord_Howe", "UTC");
    List<String> changes =
        List.of(
            "2026-03-28T12:00:00Z",
            "2026-10-24T12:00:00Z",
            "2026-03-08T00:00:00Z",
            "2026-11-01T00:00:00Z",
            "2026-04-04T12:00:00Z",
            "2026-10-03T12:00:00Z");
    for (int round = 0; round < 12; round++) {
      String schedule =
          random.nextInt(60) + " " + random.nextInt(4) + "-" + (4 + random.nextInt(3)) + " * * *";
      Duration length = Duration.ofMinutes(1 + random.nextInt(90));
      Window.Recurring span =
          new Window.Recurring(
              Cron.parse(schedule), ZoneId.of(zones.get(random.nextInt(zones.size()))), length);
      Windows windows = windows(span);
      Instant start = at(changes.get(random.nextInt(changes.size())));
      List<Instant> beginnings = slowBeginnings(span, start.minus(Duration.ofDays(1)), 3);
      for (Instant time = start;
          time.isBefore(start.plus(Duration.ofDays(1)));
          time = time.plusSeconds(60)) {
        Instant minute = time;
        boolean covered =
            beginnings.stream()
                .anyMatch(begin -> !minute.isBefore(begin) && minute.isBefore(begin.plus(length)));
        assertThat(windows.isOpen(time)).as("%s at %s", span, time).isEqualTo(covered);
        Instant opening = windows.nextOpening(time).orElseThrow();
        assertThat(windows.isOpen(opening)).isTrue();
        assertThat(
                beginnings.stream()
                    .anyMatch(begin -> begin.isAfter(minute) && begin.isBefore(opening)))
            .as("%s at %s skips nothing before %s", span, time, opening)
            .isFalse();
      }
    }
  }

  private static List<Instant> slowBeginnings(Window.Recurring span, Instant from, int days) {
    NavigableSet<Instant> found = new TreeSet<>();
    ZonedDateTime first = from.atZone(span.zone());
    for (int minute = 0; minute < days * 24 * 60; minute++) {
      LocalDateTime local = first.toLocalDateTime().withSecond(0).withNano(0).plusMinutes(minute);
      if (span.cron().next(local, local).isPresent()) {
        ZoneOffsetTransition change = span.zone().getRules().getTransition(local);
        found.add(
            change != null && change.isGap()
                ? change.getInstant()
                : ZonedDateTime.ofLocal(local, span.zone(), null).toInstant());
      }
    }
    return List.copyOf(found);
  }

  private static Windows windows(Window... spans) {
    return new Windows(List.of(spans), List.of());
  }

  private static Window every(String schedule, String zone, String duration) {
    return new Window.Recurring(Cron.parse(schedule), ZoneId.of(zone), GoDuration.parse(duration));
  }

  private static Window once(String from, String to) {
    return new Window.Once(at(from), at(to));
  }

  private static Instant at(String text) {
    return Instant.parse(text);
  }
}
