package dev.drydock.app.drain;

import java.util.Comparator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Orders names as people count: node-2 before node-10. */
public final class NaturalOrder {
  private static final Pattern NUMBER = Pattern.compile("0*(\\d+)");

  /** A number is preceded by how long it is, which makes text compare as numbers do. */
  public static final Comparator<String> COMPARATOR =
      Comparator.<String, String>comparing(
              name -> NUMBER.matcher(name).replaceAll(NaturalOrder::withLength))
          .thenComparing(Comparator.naturalOrder());

  private NaturalOrder() {}

  private static String withLength(MatchResult number) {
    return "%03d%s".formatted(number.group(1).length(), number.group(1));
  }
}
