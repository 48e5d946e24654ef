package dev.drydock.contracts;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** Lists for people, of bounded length regardless of the cluster's size. */
public final class NameLists {
  private static final int MOST = 5;

  private NameLists() {}

  public static String some(Collection<?> names) {
    return some(names, MOST);
  }

  /** The first names, and how many more. */
  public static String some(Collection<?> names, int most) {
    return some(names, most, ", ", " and ");
  }

  /** The first sentences, and how many more. */
  public static String sentences(Collection<?> sentences, int most) {
    return some(sentences, most, "; ", "; and ");
  }

  private static String some(Collection<?> all, int most, String between, String last) {
    String more =
        all.size() > most ? String.format(Locale.ROOT, "%s%,d more", last, all.size() - most) : "";
    return all.stream()
        .limit(most)
        .map(String::valueOf)
        .collect(Collectors.joining(between, "", more));
  }
}
