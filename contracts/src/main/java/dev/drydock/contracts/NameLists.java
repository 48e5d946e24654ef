package dev.drydock.contracts;

import java.util.Collection;
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
    String more = names.size() > most ? " and " + (names.size() - most) + " more" : "";
    return names.stream()
        .limit(most)
        .map(String::valueOf)
        .collect(Collectors.joining(", ", "", more));
  }
}
