package dev.drydock.contracts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A Kubernetes label selector: all requirements must match, so an empty one matches everything. */
public record LabelSelector(List<Requirement> requirements) {
  private static final LabelSelector EVERYTHING = new LabelSelector(List.of());

  /** The operators, each with its name in API objects. */
  public enum Operator {
    IN("In"),
    NOT_IN("NotIn"),
    EXISTS("Exists"),
    DOES_NOT_EXIST("DoesNotExist"),
    GREATER_THAN("Gt"),
    LESS_THAN("Lt");

    private final String apiName;

    Operator(String apiName) {
      this.apiName = apiName;
    }

    public String apiName() {
      return apiName;
    }

    /** Only node affinity and kubectl's {@code -l} have these two. */
    public boolean comparesNumbers() {
      return this == GREATER_THAN || this == LESS_THAN;
    }

    public static Optional<Operator> find(String apiName) {
      return Arrays.stream(values()).filter(each -> each.apiName.equals(apiName)).findFirst();
    }
  }

  /** A requirement on one label. */
  public record Requirement(String key, Operator operator, NavigableSet<String> values) {
    public Requirement {
      values = new TreeSet<>(values);
      switch (operator) {
        case IN, NOT_IN -> check(!values.isEmpty(), key, "needs at least one value");
        case EXISTS, DOES_NOT_EXIST -> check(values.isEmpty(), key, "takes no value");
        case GREATER_THAN, LESS_THAN ->
            check(values.size() == 1 && isNumber(values.first()), key, "needs one whole number");
      }
    }

    public static Requirement of(String key, Operator operator, String... values) {
      return new Requirement(key, operator, new TreeSet<>(List.of(values)));
    }

    /**
     * An entry of {@code matchExpressions} or {@code matchFields}.
     *
     * @throws IllegalArgumentException with one line for the user
     */
    public static Requirement of(String key, String operator, Collection<String> values) {
      return new Requirement(
          key,
          Operator.find(operator)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "a selector's operator is \"" + operator + "\"")),
          new TreeSet<>(values));
    }

    boolean matches(Function<String, @Nullable String> labels) {
      String value = labels.apply(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
        case GREATER_THAN -> value != null && isNumber(value) && difference(value) > 0;
        case LESS_THAN -> value != null && isNumber(value) && difference(value) < 0;
      };
    }

    private int difference(String value) {
      return Long.compare(Long.parseLong(value), Long.parseLong(values.first()));
    }

    static boolean isNumber(String value) {
      return value.matches("[+-]?\\d{1,18}");
    }

    private static void check(boolean holds, String key, String problem) {
      if (!holds) {
        throw new IllegalArgumentException("label " + key + " in a selector " + problem);
      }
    }

    @Override
    public String toString() {
      String all = String.join(",", values);
      return switch (operator) {
        case IN -> values.size() == 1 ? key + "=" + all : key + " in (" + all + ")";
        case NOT_IN -> values.size() == 1 ? key + "!=" + all : key + " notin (" + all + ")";
        case EXISTS -> key;
        case DOES_NOT_EXIST -> "!" + key;
        case GREATER_THAN -> key + ">" + all;
        case LESS_THAN -> key + "<" + all;
      };
    }
  }

  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  public static LabelSelector everything() {
    return EVERYTHING;
  }

  /** {@code matchLabels} and {@code matchExpressions} of an API object. */
  public static LabelSelector of(Map<String, String> matchLabels, List<Requirement> expressions) {
    List<Requirement> all = new ArrayList<>();
    matchLabels.forEach((key, value) -> all.add(Requirement.of(key, Operator.IN, value)));
    all.addAll(expressions);
    return new LabelSelector(all);
  }

  public static LabelSelector matching(String key, String value) {
    return of(Map.of(key, value), List.of());
  }

  /**
   * Parses the form of kubectl's {@code -l}, e.g. {@code a=b,c!=d,e in (x,y),!f,g}.
   *
   * @throws IllegalArgumentException with one line for the user
   */
  public static LabelSelector parse(String text) {
    return new SelectorParser(text).parse();
  }

  public boolean matches(Map<String, String> labels) {
    return matches(labels::get);
  }

  /** The function returns the value of a label, or null. */
  public boolean matches(Function<String, @Nullable String> labels) {
    for (Requirement requirement : requirements) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
  }
}
