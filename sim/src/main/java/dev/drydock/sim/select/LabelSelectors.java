package dev.drydock.sim.select;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Operator;
import dev.drydock.contracts.LabelSelector.Requirement;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Label selectors of requests and objects. */
public final class LabelSelectors {
  private LabelSelectors() {}

  /**
   * Parses {@code app=web,tier in (a,b),!old}.
   *
   * @throws IllegalArgumentException if it is not a selector
   */
  public static LabelSelector parse(String text) {
    try {
      return LabelSelector.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("unable to parse requirement: " + text, e);
    }
  }

  /** Parses {@code {matchLabels, matchExpressions}}; an empty one selects all. */
  public static LabelSelector of(JsonNode selector) {
    List<Requirement> requirements = new ArrayList<>();
    selector
        .path("matchLabels")
        .properties()
        .forEach(
            label ->
                requirements.add(
                    Requirement.of(label.getKey(), Operator.IN, label.getValue().asText())));
    selector.path("matchExpressions").forEach(each -> requirements.add(requirement(each)));
    return new LabelSelector(requirements);
  }

  /** An entry of {@code matchExpressions} or {@code matchFields}. */
  public static Requirement requirement(JsonNode expression) {
    return Requirement.of(
        JsonTrees.text(expression, "key"),
        JsonTrees.text(expression, "operator"),
        JsonTrees.texts(expression.path("values")));
  }

  /** Parses either form: the above, or the plain label map of old types. */
  public static LabelSelector ofAny(JsonNode selector) {
    boolean plain = !selector.has("matchLabels") && !selector.has("matchExpressions");
    return of(plain ? JsonTrees.object().set("matchLabels", selector) : selector);
  }

  /** As the API server writes it, in the form that {@link #parse} reads. */
  public static String text(LabelSelector selector) {
    return selector.requirements().stream()
        .sorted(Comparator.comparing(Requirement::key))
        .map(LabelSelectors::text)
        .collect(Collectors.joining(","));
  }

  private static String text(Requirement requirement) {
    return requirement.operator() == Operator.NOT_IN
        ? "%s notin (%s)".formatted(requirement.key(), String.join(",", requirement.values()))
        : requirement.toString();
  }

  /** Whether it selects this object. */
  public static boolean matches(LabelSelector selector, JsonNode object) {
    return matchesLabels(selector, JsonTrees.at(object, "metadata", "labels"));
  }

  public static boolean matchesLabels(LabelSelector selector, JsonNode labels) {
    return selector.matches(
        label -> {
          JsonNode value = labels.path(label);
          return JsonTrees.isPresent(value) ? value.asText() : null;
        });
  }
}
