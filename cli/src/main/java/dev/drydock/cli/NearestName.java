package dev.drydock.cli;

import dev.drydock.contracts.NameLists;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that a mistyped word probably means. */
public final class NearestName {
  private static final int MOST_EDITS = 2;
  private static final int MOST_NAMED = 10;

  private NearestName() {}

  /** The most similar known name, if one is similar enough. */
  public static Optional<String> to(String word, Collection<String> known) {
    return known.stream()
        .filter(name -> distance(word, name) <= MOST_EDITS || name.startsWith(word))
        .min(Comparator.comparingInt(name -> distance(word, name)));
  }

  /** To append to a message about an unknown name; empty if none is similar. */
  public static String hint(String word, Collection<String> known) {
    return question(word, known).map(" (%s)"::formatted).orElse("");
  }

  /** The end of a message about an unknown name. */
  public static String meant(String word, Collection<String> known) {
    return question(word, known).orElse("use one of " + NameLists.some(known, MOST_NAMED));
  }

  /** The question whether the most similar name was meant, if one is similar enough. */
  public static Optional<String> question(String word, Collection<String> known) {
    return to(word, known).map("did you mean \"%s\"?"::formatted);
  }

  /** The edit distance between two words. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int swap = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        current[j] = Math.min(Math.min(current[j - 1], previous[j]) + 1, previous[j - 1] + swap);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
