package dev.drydock.contracts;

import dev.drydock.contracts.LabelSelector.Operator;
import dev.drydock.contracts.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses a label selector in kubectl's syntax. */
final class SelectorParser {
  private static final Pattern SET =
      Pattern.compile("([^\\s!=<>(),]+)\\s+(in|notin)\\s*\\(([^()]*)\\)");
  private static final Pattern COMPARISON =
      Pattern.compile("([^\\s!=<>(),]+)\\s*(==|=|!=|>|<)\\s*([^\\s!=<>(),]*)");
  private static final Pattern EXISTENCE = Pattern.compile("(!?)\\s*([^\\s!=<>(),]+)");

  private final String text;

  SelectorParser(String text) {
    this.text = text;
  }

  LabelSelector parse() {
    if (text.isBlank()) {
      return LabelSelector.everything();
    }
    return new LabelSelector(terms().stream().map(String::strip).map(this::requirement).toList());
  }

  /** Splits at commas, but not at those between parentheses. */
  private List<String> terms() {
    List<String> terms = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '(' -> depth++;
        case ')' -> depth--;
        case ',' -> {
          if (depth == 0) {
            terms.add(text.substring(start, i));
            start = i + 1;
          }
        }
        default -> {}
      }
    }
    terms.add(text.substring(start));
    return terms;
  }

  private Requirement requirement(String term) {
    if (term.isEmpty()) {
      throw wrong("a term beside a comma is empty");
    }
    Matcher set = SET.matcher(term);
    if (set.matches()) {
      Operator operator = set.group(2).equals("in") ? Operator.IN : Operator.NOT_IN;
      // A trailing comma means the empty value, which split would drop.
      String[] values = set.group(3).split(",", -1);
      return checked(set.group(1), operator, values);
    }
    Matcher comparison = COMPARISON.matcher(term);
    if (comparison.matches()) {
      Operator operator =
          switch (comparison.group(2)) {
            case "!=" -> Operator.NOT_IN;
            case ">" -> Operator.GREATER_THAN;
            case "<" -> Operator.LESS_THAN;
            default -> Operator.IN;
          };
      return checked(comparison.group(1), operator, comparison.group(3));
    }
    Matcher existence = EXISTENCE.matcher(term);
    if (existence.matches()) {
      boolean present = existence.group(1).isEmpty();
      return checked(existence.group(2), present ? Operator.EXISTS : Operator.DOES_NOT_EXIST);
    }
    throw wrong("cannot read \"" + term + "\"");
  }

  private Requirement checked(String key, Operator operator, String... values) {
    if (!LabelSyntax.isKey(key)) {
      throw wrong("\"" + key + "\" is not a label name");
    }
    NavigableSet<String> stripped = new TreeSet<>();
    Arrays.stream(values).map(String::strip).forEach(stripped::add);
    for (String value : stripped) {
      if (!LabelSyntax.isValue(value)) {
        throw wrong("\"" + value + "\" is not a label value");
      }
    }
    if (operator.comparesNumbers() && !Requirement.isNumber(stripped.first())) {
      throw wrong("\"" + stripped.first() + "\" is not a whole number");
    }
    return new Requirement(key, operator, stripped);
  }

  private IllegalArgumentException wrong(String problem) {
    String line = "selector \"" + text + "\": " + problem;
    return new IllegalArgumentException(
        line.replaceAll("\\R", " ") + " (write it like a=b,c!=d,e in (x,y),!f,g)");
  }
}
