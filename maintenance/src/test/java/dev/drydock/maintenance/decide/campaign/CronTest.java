package dev.drydock.maintenance.decide.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {
  private static final LocalDateTime START = LocalDateTime.parse("2026-03-04T10:17"); // a Wednesday

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* * * * *        | 2026-03-04T10:17",
        "16 * * * *       | 2026-03-04T11:16",
        "*/15 * * * *     | 2026-03-04T10:30",
        "5/20 * * * *     | 2026-03-04T10:25",
        "0 2 * * *        | 2026-03-05T02:00",
        "0 22-23 * * *    | 2026-03-04T22:00",
        "30 1,13 * * *    | 2026-03-04T13:30",
        "0 0 1 * *        | 2026-04-01T00:00",
        "0 0 31 * *       | 2026-03-31T00:00",
        "0 0 29 2 *       | 2028-02-29T00:00",
        "0 0 * * 0        | 2026-03-08T00:00",
        "0 0 * * 7        | 2026-03-08T00:00",
        "0 0 * * sun      | 2026-03-08T00:00",
        "0 0 * * SAT-SUN  | runs backwards",
        "0 0 * * MON-FRI  | 2026-03-05T00:00",
        "0 0 * * 6-7      | 2026-03-07T00:00",
        "0 0 * jan *      | 2027-01-01T00:00",
        "0 0 * 1-12/6 *   | 2026-07-01T00:00",
        "0 0 13 * FRI     | 2026-03-06T00:00",
        "0 0 */2 * FRI    | 2026-03-13T00:00",
        "0 0 ? * 5        | 2026-03-06T00:00",
        "@hourly          | 2026-03-04T11:00",
        "@daily           | 2026-03-05T00:00",
        "@midnight        | 2026-03-05T00:00",
        "@weekly          | 2026-03-08T00:00",
        "@monthly         | 2026-04-01T00:00",
        "@yearly          | 2027-01-01T00:00",
        "@Annually        | 2027-01-01T00:00",
        "0 0 30 2 *       | never",
      })
  void namesItsNextMinute(String schedule, String expected) {
    if (expected.equals("runs backwards")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Cron.parse(schedule))
          .withMessageContaining(expected);
      return;
    }
    Optional<LocalDateTime> next = Cron.parse(schedule).next(START, START.plusYears(5));

    assertThat(next.map(LocalDateTime::toString).orElse("never")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''              | has 0 fields instead of 5",
        "0 2 * *         | has 4 fields instead of 5",
        "0 0 2 * * *     | has 6 fields instead of 5",
        "60 * * * *      | minute \"60\": 60 is out of range; allowed are 0-59",
        "* 24 * * *      | hour \"24\": 24 is out of range; allowed are 0-23",
        "* * 0 * *       | day of month \"0\": 0 is out of range; allowed are 1-31",
        "* * * 13 *      | month \"13\": 13 is out of range; allowed are 1-12 or JAN-DEC",
        "* * * * 8       | day of week \"8\": 8 is out of range; allowed are 0-7 or SUN-SAT",
        "* * * * MONDAY  | day of week \"MONDAY\": \"MONDAY\" is not a value",
        "* * L * *       | day of month \"L\": \"L\" is not a value",
        "* * * * 5#2     | day of week \"5#2\": \"5#2\" is not a value",
        "*/0 * * * *     | minute \"*/0\": the step \"0\" is not a number of at least 1",
        "*/x * * * *     | minute \"*/x\": the step \"x\" is not a number of at least 1",
        "1,,2 * * * *    | minute \"1,,2\": \"\" is not a value",
        "5-1 * * * *     | minute \"5-1\": the range 5-1 runs backwards",
        "-1 * * * *      | minute \"-1\": \"\" is not a value",
        "? * * * *       | minute \"?\": \"?\" is not a value",
        "1.5 * * * *     | minute \"1.5\": \"1.5\" is not a value",
        "@every 5m       | is not known; write @hourly",
        "@reboot         | is not known; write @hourly",
        "TZ=UTC 0 2 * * *| must not name a time zone; use the field timeZone",
      })
  void aMistakeIsNamedWithItsFieldAndWhatIsAllowed(String schedule, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cron.parse(schedule))
        .withMessageContaining("schedule \"" + schedule + "\"")
        .withMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* * * * *        | 1",
        "5 2 * * *        | 0",
        "5,35 2 * * *     | 30",
        "0 2,8 * * *      | 360",
        "10-20 2,4 * * *  | 110",
        "*/15 * * * *     | 15",
        "0,59 1,2,23 * * *| 1201",
      })
  void knowsTheLongestTimeBetweenTwoMinutesOfADay(String schedule, int minutes) {
    assertThat(Cron.parse(schedule).longestGap()).isEqualTo(minutes);
  }

  @Test
  @Timeout(10)
  void aDayThatNeverComesIsNotLookedFor() {
    for (String schedule : List.of("0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 */30 2 1")) {
      Cron cron = Cron.parse(schedule);
      for (int i = 0; i < 10_000; i++) {
        LocalDateTime at = START.plusMinutes(i);
        boolean comes = schedule.contains("*/30"); // the first of February, on a Monday
        assertThat(cron.previous(at, at.minusYears(100)).isPresent()).isEqualTo(comes);
      }
    }
  }

  @Test
  void nextAndPreviousMeet() {
    Cron cron = Cron.parse("30 2 * * SAT");
    LocalDateTime saturday = LocalDateTime.parse("2026-03-07T02:30");

    assertThat(cron.next(saturday, saturday.plusDays(9))).contains(saturday);
    assertThat(cron.previous(saturday, saturday.minusDays(9))).contains(saturday);
    assertThat(cron.next(saturday.plusSeconds(1), saturday.plusDays(9)))
        .contains(saturday.plusDays(7));
    assertThat(cron.previous(saturday.minusSeconds(1), saturday.minusDays(9)))
        .contains(saturday.minusDays(7));
    assertThat(cron.next(saturday.plusSeconds(1), saturday.plusDays(6))).isEmpty();
    assertThat(cron.previous(saturday.minusSeconds(1), saturday.minusDays(6))).isEmpty();
  }

  /** Against the plainest reading there is: look at every minute. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void findsWhatLookingAtEveryMinuteFinds(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 25; round++) {
      List<String> fields =
          List.of(
              field(random, 0, 59),
              field(random, 0, 23),
              field(random, 1, 31),
              field(random, 1, 12),
              field(random, 0, 6));
      Cron cron = Cron.parse(String.join(" ", fields));
      LocalDateTime from = START.plusMinutes(random.nextInt(60 * 24 * 365));
      LocalDateTime limit = from.plusDays(40);

      assertThat(cron.next(from, limit))
          .as("%s from %s", fields, from)
          .isEqualTo(slow(fields, from, limit));
      cron.next(from, limit)
          .ifPresent(
              found ->
                  assertThat(cron.previous(found, from)).as("%s back", fields).contains(found));
    }
  }

  private static String field(Random random, int least, int most) {
    int a = least + random.nextInt(most - least + 1);
    int b = least + random.nextInt(most - least + 1);
    return switch (random.nextInt(5)) {
      case 0, 1 -> "*";
      case 2 -> "" + a;
      case 3 -> Math.min(a, b) + "-" + Math.max(a, b);
      default -> "*/" + (1 + random.nextInt(9));
    };
  }

  private static Optional<LocalDateTime> slow(
      List<String> fields, LocalDateTime from, LocalDateTime limit) {
    List<List<Integer>> values = new ArrayList<>();
    int[][] ranges = {{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}};
    for (int i = 0; i < 5; i++) {
      values.add(values(fields.get(i), ranges[i][0], ranges[i][1]));
    }
    for (LocalDateTime time = from; !time.isAfter(limit); time = time.plusMinutes(1)) {
      boolean ofMonth = values.get(2).contains(time.getDayOfMonth());
      boolean ofWeek = values.get(4).contains(time.getDayOfWeek().getValue() % 7);
      boolean either = !fields.get(2).startsWith("*") && !fields.get(4).startsWith("*");
      if (values.get(0).contains(time.getMinute())
          && values.get(1).contains(time.getHour())
          && values.get(3).contains(time.getMonthValue())
          && (either ? ofMonth || ofWeek : ofMonth && ofWeek)) {
        return Optional.of(time);
      }
    }
    return Optional.empty();
  }

  private static List<Integer> values(String field, int least, int most) {
    return IntStream.rangeClosed(least, most)
        .filter(
            value -> {
              if (field.equals("*")) {
                return true;
              }
              if (field.startsWith("*/")) {
                return (value - least) % Integer.parseInt(field.substring(2)) == 0;
              }
              int dash = field.indexOf('-');
              return dash < 0
                  ? value == Integer.parseInt(field)
                  : value >= Integer.parseInt(field.substring(0, dash))
                      && value <= Integer.parseInt(field.substring(dash + 1));
            })
        .boxed()
        .collect(Collectors.toList());
  }
}
