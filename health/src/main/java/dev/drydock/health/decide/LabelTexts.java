package dev.drydock.health.decide;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.regex.Pattern;

/** The values of the labels that say who cordoned a node, when and why. */
public final class LabelTexts {
  private static final int LONGEST = 63;
  private static final int LONGEST_BEFORE_REMOVED = 55;
  private static final String REMOVED = "-removed";
  private static final Pattern FORBIDDEN = Pattern.compile("[^A-Za-z0-9_.-]");

  /** A label value begins and ends with a letter or a digit. */
  private static final Pattern EDGES = Pattern.compile("^[-_.]+|[-_.]+$");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss'Z'").withZone(ZoneOffset.UTC);

  private LabelTexts() {}

  public static String reason(Collection<String> ruleSets) {
    return value(String.join("-", ruleSets));
  }

  /** Any text as the value of a label; may become empty. */
  public static String value(String text) {
    return cut(FORBIDDEN.matcher(text).replaceAll("-"), LONGEST);
  }

  /** Why a node is no longer cordoned. */
  public static String removed(String cordonReason) {
    String before = cut(value(cordonReason), LONGEST_BEFORE_REMOVED);
    return before.isEmpty() ? REMOVED.substring(1) : before + REMOVED;
  }

  public static String time(Instant time) {
    return TIME.format(time);
  }

  private static String cut(String text, int longest) {
    String trimmed = EDGES.matcher(text).replaceAll("");
    String shortened = trimmed.length() > longest ? trimmed.substring(0, longest) : trimmed;
    return EDGES.matcher(shortened).replaceAll("");
  }
}
