package dev.drydock.simulate.fleet;

import dev.drydock.cli.NearestName;
import dev.drydock.contracts.NameLists;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Suggestions for an unknown name. */
final class NameSuggestion {
  private NameSuggestion() {}

  /** The name that was probably meant, otherwise the existing ones; empty if there are none. */
  static String meant(String word, Collection<String> known) {
    // cpu-13 is as similar to cpu-1 as to cpu-12: a wrong number is not a misspelling
    List<String> spelt =
        known.stream().filter(name -> !withoutNumbers(name).equals(withoutNumbers(word))).toList();
    return NearestName.question(word, spelt)
        .map("; "::concat)
        .orElse(
            known.isEmpty()
                ? ""
                : "; there " + (known.size() == 1 ? "is " : "are ") + NameLists.some(known));
  }

  /** A line about the names that no node has, if there are any. */
  static Optional<String> unknownNodes(Collection<String> names, Set<String> known) {
    List<String> unknown = names.stream().filter(name -> !known.contains(name)).toList();
    return unknown.stream()
        .findFirst()
        .map(
            first ->
                "there is no node \"%s\"%s%s"
                    .formatted(
                        first,
                        unknown.size() == 1 ? "" : " (and %d more)".formatted(unknown.size() - 1),
                        meant(first, known)));
  }

  private static String withoutNumbers(String name) {
    return name.replaceAll("\\d+", "");
  }
}
