package dev.drydock.simulate;

import dev.drydock.contracts.NameLists;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Formats times and numbers for people. */
final class ReportFormat {
  private static final Pattern INSTANT =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");

  private ReportFormat() {}

  /** Whole seconds, for a column of times. */
  static String moment(Duration time) {
    return time.toHours() == 0
        ? String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart())
        : String.format(
            Locale.ROOT,
            "%d:%02d:%02d",
            time.toHours(),
            time.toMinutesPart(),
            time.toSecondsPart());
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String count(long number, String thing) {
    return number(number) + " " + thing + (number == 1 ? "" : "s");
  }

  static String nodes(List<String> nodes) {
    return NameLists.some(nodes, nodes.size() == 2 ? 2 : 1);
  }

  /** The first names and how many more, to append to a sentence; empty if there are none. */
  static String inBrackets(List<String> names) {
    return names.isEmpty() ? "" : " (" + NameLists.some(names, 1) + ")";
  }

  /** Virtual times relative to the start. */
  static String relative(String text, Instant zero) {
    return INSTANT
        .matcher(text)
        .replaceAll(found -> moment(Duration.between(zero, Instant.parse(found.group()))));
  }
}
