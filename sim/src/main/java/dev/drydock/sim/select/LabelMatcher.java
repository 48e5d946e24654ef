package dev.drydock.sim.select;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A label selector, from a query or from an object. */
public record LabelMatcher(List<Requirement> requirements) {
  public static final LabelMatcher ALL = new LabelMatcher(List.of());

  private static final Pattern REQUIREMENT =
      Pattern.compile(
          "\\s*(?:(!)\\s*([^\\s,=!()]+)"
              + "|([^\\s,=!()]+)\\s*(?:(==|=|!=)\\s*([^\\s,=!()]*)"
              + "|\\s(in|notin)\\s*\\(([^()]*)\\))?)\\s*(?:,|$)");

  /** The operators. */
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST
  }

  /** A requirement on one label. */
  public record Requirement(String label, Operator operator, List<String> values) {
    private String toText() {
      String all = "(" + String.join(",", values) + ")";
      return switch (operator) {
        case IN -> values.size() == 1 ? label + "=" + values.getFirst() : label + " in " + all;
        case NOT_IN -> label + " notin " + all;
        case EXISTS -> label;
        case DOES_NOT_EXIST -> "!" + label;
      };
    }

    private boolean matches(JsonNode labels) {
      JsonNode value = labels.path(label);
      boolean listed = JsonTrees.isPresent(value) && values.contains(value.asText());
      return switch (operator) {
        case IN -> listed;
        // also matches if the label is absent
        case NOT_IN -> !listed;
        case EXISTS -> JsonTrees.isPresent(value);
        case DOES_NOT_EXIST -> !JsonTrees.isPresent(value);
      };
    }
  }

  /**
   * Parses {@code app=web,tier in (a,b),!old}.
   *
   * @throws IllegalArgumentException if it is not a selector
   */
  public static LabelMatcher parse(String text) {
    List<Requirement> requirements = new ArrayList<>();
    Matcher matcher = REQUIREMENT.matcher(text);
    int position = 0;
    while (position < text.length()) {
      if (!matcher.find(position) || matcher.start() != position) {
        throw new IllegalArgumentException("unable to parse requirement: " + text);
      }
      requirements.add(requirement(matcher));
      position = matcher.end();
    }
    return new LabelMatcher(requirements);
  }

  private static Requirement requirement(Matcher found) {
    if (found.group(1) != null) {
      return new Requirement(found.group(2), Operator.DOES_NOT_EXIST, List.of());
    }
    String label = found.group(3);
    if (found.group(4) != null) {
      Operator operator = found.group(4).equals("!=") ? Operator.NOT_IN : Operator.IN;
      return new Requirement(label, operator, List.of(found.group(5)));
    }
    if (found.group(6) != null) {
      Operator operator = found.group(6).equals("in") ? Operator.IN : Operator.NOT_IN;
      List<String> values =
          Pattern.compile(",").splitAsStream(found.group(7)).map(String::strip).toList();
      return new Requirement(label, operator, values);
    }
    return new Requirement(label, Operator.EXISTS, List.of());
  }

  /** Parses {@code {matchLabels, matchExpressions}}; an empty one selects all. */
  public static LabelMatcher of(JsonNode selector) {
    List<Requirement> requirements = new ArrayList<>();
    selector
        .path("matchLabels")
        .properties()
        .forEach(
            label ->
                requirements.add(
                    new Requirement(
                        label.getKey(), Operator.IN, List.of(label.getValue().asText()))));
    for (JsonNode expression : selector.path("matchExpressions")) {
      Operator operator =
          switch (expression.path("operator").asText()) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default -> throw new IllegalArgumentException("unknown operator: " + expression);
          };
      requirements.add(
          new Requirement(
              expression.path("key").asText(),
              operator,
              JsonTrees.texts(expression.path("values"))));
    }
    return new LabelMatcher(requirements);
  }

  /** Parses either form: the above, or the plain label map of old types. */
  public static LabelMatcher ofAny(JsonNode selector) {
    boolean plain = !selector.has("matchLabels") && !selector.has("matchExpressions");
    return of(plain ? JsonTrees.object().set("matchLabels", selector) : selector);
  }

  /** In the form that {@link #parse} reads. */
  public String toText() {
    return requirements.stream()
        .sorted(Comparator.comparing(Requirement::label))
        .map(Requirement::toText)
        .collect(Collectors.joining(","));
  }

  /** Whether it selects this object. */
  public boolean matches(JsonNode object) {
    JsonNode labels = JsonTrees.at(object, "metadata", "labels");
    return requirements.stream().allMatch(each -> each.matches(labels));
  }
}
