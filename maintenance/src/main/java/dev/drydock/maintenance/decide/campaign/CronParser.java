package dev.drydock.maintenance.decide.campaign;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses cron's five fields. */
final class CronParser {
  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  private static final Map<String, String> WORDS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private static final Pattern NUMBER = Pattern.compile("\\d{1,4}");

  /** One of the five. */
  private enum Field {
    MINUTE("minute", 0, 59),
    HOUR("hour", 0, 23),
    DAY_OF_MONTH("day of month", 1, 31),
    MONTH("month", 1, 12),
    /** 7 is Sunday too. */
    DAY_OF_WEEK("day of week", 0, 7);

    private final String label;
    private final int least;
    private final int most;

    Field(String label, int least, int most) {
      this.label = label;
      this.least = least;
      this.most = most;
    }

    /** The end of an open range: Sunday must not count twice. */
    int last() {
      return this == DAY_OF_WEEK ? 6 : most;
    }

    List<String> names() {
      return switch (this) {
        case MONTH -> MONTHS;
        case DAY_OF_WEEK -> DAYS;
        default -> List.of();
      };
    }

    String allowed() {
      List<String> names = names();
      String named = names.isEmpty() ? "" : " or " + names.getFirst() + "-" + names.getLast();
      return least + "-" + most + named + ", with * , - and /";
    }
  }

  private final String text;

  private CronParser(String text) {
    this.text = text;
  }

  static Cron parse(String text) {
    String fields = WORDS.getOrDefault(text.strip().toLowerCase(Locale.ROOT), text.strip());
    return new CronParser(text).read(fields);
  }

  private Cron read(String line) {
    if (line.startsWith("@")) {
      throw wrong("is not known; write @hourly, @daily, @weekly, @monthly, @yearly or five fields");
    }
    if (line.startsWith("TZ=") || line.startsWith("CRON_TZ=")) {
      throw wrong("must not name a time zone; use the field timeZone");
    }
    String[] parts = line.split("\\s+", -1);
    if (parts.length != 5) {
      throw wrong(
          "has "
              + (line.isEmpty() ? 0 : parts.length)
              + " fields instead of 5: minute hour day-of-month month day-of-week");
    }
    long weekdays = bits(Field.DAY_OF_WEEK, parts[4]);
    boolean sunday = (weekdays & (1 | 1 << 7)) != 0;
    return new Cron(
        bits(Field.MINUTE, parts[0]),
        bits(Field.HOUR, parts[1]),
        bits(Field.DAY_OF_MONTH, parts[2]),
        bits(Field.MONTH, parts[3]),
        (weekdays & 0x7f) | (sunday ? 1 : 0),
        !isAny(parts[2]) && !isAny(parts[4]));
  }

  private static boolean isAny(String part) {
    return part.startsWith("*") || part.equals("?");
  }

  private long bits(Field field, String part) {
    long bits = 0;
    for (String item : part.split(",", -1)) {
      bits |= itemBits(field, part, item);
    }
    return bits;
  }

  private long itemBits(Field field, String part, String item) {
    int slash = item.indexOf('/');
    String range = slash < 0 ? item : item.substring(0, slash);
    int step = slash < 0 ? 1 : step(field, part, item.substring(slash + 1));
    int first;
    int last;
    if (range.equals("*") || (range.equals("?") && takesQuestionMark(field))) {
      first = field.least;
      last = field.last();
    } else {
      int dash = range.indexOf('-');
      first = value(field, part, dash < 0 ? range : range.substring(0, dash));
      if (dash >= 0) {
        last = value(field, part, range.substring(dash + 1));
      } else {
        last = slash < 0 ? first : Math.max(first, field.last());
      }
    }
    if (first > last) {
      throw wrong(field, part, "the range " + range + " runs backwards");
    }
    long bits = 0;
    for (int value = first; value <= last; value += step) {
      bits |= 1L << value;
    }
    return bits;
  }

  private static boolean takesQuestionMark(Field field) {
    return field == Field.DAY_OF_MONTH || field == Field.DAY_OF_WEEK;
  }

  private int step(Field field, String part, String word) {
    if (!NUMBER.matcher(word).matches() || Integer.parseInt(word) == 0) {
      throw wrong(field, part, "the step \"" + word + "\" is not a number of at least 1");
    }
    return Integer.parseInt(word);
  }

  private int value(Field field, String part, String word) {
    int named = field.names().indexOf(word.toUpperCase(Locale.ROOT));
    if (named >= 0) {
      return named + field.least;
    }
    if (!NUMBER.matcher(word).matches()) {
      throw wrong(field, part, "\"" + word + "\" is not a value");
    }
    int value = Integer.parseInt(word);
    if (value < field.least || value > field.most) {
      throw wrong(field, part, word + " is out of range");
    }
    return value;
  }

  private IllegalArgumentException wrong(Field field, String part, String problem) {
    return wrong(
        field.label + " \"" + part + "\": " + problem + "; allowed are " + field.allowed());
  }

  private IllegalArgumentException wrong(String problem) {
    return new IllegalArgumentException(
        ("schedule \"" + text + "\" " + problem).replaceAll("\\R", " "));
  }
}
