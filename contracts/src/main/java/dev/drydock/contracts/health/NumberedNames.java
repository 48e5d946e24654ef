package dev.drydock.contracts.health;

import java.util.List;
import java.util.Optional;

/** The names of the numbers of an enumeration on the wire. */
record NumberedNames(List<Entry> entries) {
  record Entry(int number, String name) {}

  NumberedNames {
    entries = List.copyOf(entries);
  }

  Optional<Integer> number(String text) {
    return entries.stream()
        .filter(entry -> entry.name().equals(text))
        .map(Entry::number)
        .findFirst()
        .or(
            () ->
                text.matches("-?\\d{1,9}")
                    ? Optional.of(Integer.parseInt(text))
                    : Optional.empty());
  }

  String name(int number) {
    return entries.stream()
        .filter(entry -> entry.number() == number)
        .map(Entry::name)
        .findFirst()
        .orElseGet(() -> Integer.toString(number));
  }

  List<String> names() {
    return entries.stream().map(Entry::name).toList();
  }
}
