package dev.drydock.simulate.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.drydock.cli.NearestName;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.LabelSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one object of a file field by field. Mistakes are collected with their path, and the field
 * counts as absent, so that one run finds all mistakes.
 */
final class FieldReader {
  private static final int LONGEST_NAME = 253;
  private static final Predicate<String> OBJECT_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?").asMatchPredicate();

  private static final Pattern SERIES = Pattern.compile("(.*?)(\\d{1,7})\\.\\.(.*?)(\\d{1,7})");
  private static final int LONGEST_SERIES = 100_000;

  private final String path;
  private final JsonNode object;
  private final List<String> problems;
  private final Set<String> known = new LinkedHashSet<>();
  private final List<String> perhaps = new ArrayList<>();
  private boolean wrong;

  FieldReader(String path, JsonNode object, List<String> problems) {
    this.path = path;
    this.problems = problems;
    if (object.isObject()) {
      this.object = object;
    } else {
      this.object = JsonNodeFactory.instance.objectNode();
      problem("should be an object with fields");
    }
  }

  boolean has(String name) {
    return !get(name).isMissingNode();
  }

  private JsonNode get(String name) {
    known.add(name);
    JsonNode value = object.path(name);
    return value.isNull() ? object.path("\0") : value;
  }

  String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  void problem(String name, String what) {
    add(path(name) + ": " + what);
  }

  void problem(String what) {
    add(path + ": " + what);
  }

  /** A field may be read twice. */
  private void add(String line) {
    wrong = true;
    if (!problems.contains(line)) {
      problems.add(line);
    }
  }

  /**
   * Reported by {@link #refuseOthers} if nothing else is wrong with this object: otherwise it is
   * probably a consequence, e.g. of a misspelt field, and each mistake should be one line.
   */
  void problemIfAlone(String name, String what) {
    perhaps.add(path(name) + ": " + what);
  }

  void problemIfAlone(String what) {
    perhaps.add(path + ": " + what);
  }

  String text(String name, String otherwise) {
    JsonNode value = get(name);
    if (value.isContainerNode()) {
      problem(name, "should be one value");
      return otherwise;
    }
    return value.asText(otherwise);
  }

  String required(String name) {
    String text = text(name, "");
    if (text.isEmpty() && !get(name).isContainerNode()) {
      problemIfAlone(name, "is missing");
    }
    return text;
  }

  /** A valid name of a Kubernetes object. */
  String objectName(String name) {
    return checkedName(name, required(name));
  }

  String objectName(String name, String otherwise) {
    return checkedName(name, text(name, otherwise));
  }

  private String checkedName(String name, String given) {
    if (!given.isEmpty() && !(given.length() <= LONGEST_NAME && OBJECT_NAME.test(given))) {
      problem(
          name,
          "\"%s\" should be lower case letters, digits, '-' and '.', like web-1".formatted(given));
    }
    return given;
  }

  boolean flag(String name) {
    JsonNode value = get(name);
    if (!value.isMissingNode() && !value.isBoolean()) {
      problem(name, "should be true or false");
    }
    return value.asBoolean(false);
  }

  int count(String name, int otherwise) {
    return (int) number(name, otherwise, 0, 1_000_000);
  }

  long number(String name, long otherwise, long least, long most) {
    JsonNode value = get(name);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.canConvertToExactIntegral() || !within(value, least, most)) {
      problem(name, "should be a whole number from " + least + " to " + most);
      return otherwise;
    }
    return value.asLong();
  }

  private static boolean within(JsonNode value, long least, long most) {
    return value.canConvertToLong() && value.asLong() >= least && value.asLong() <= most;
  }

  /** Reads a value with a parser that returns nothing for invalid text. */
  <T> Optional<T> read(String name, Function<String, Optional<T>> reader, String wanted) {
    String text = text(name, "");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<T> value = reader.apply(text);
    if (value.isEmpty()) {
      problem(name, "\"" + text + "\" should be " + wanted);
    }
    return value;
  }

  Optional<Duration> time(String name) {
    return read(name, GoDuration::find, "a time like 90s or 1h30m");
  }

  /** One of several words, ignoring case. */
  <E extends Enum<E>> E choice(String name, E otherwise) {
    E[] all = otherwise.getDeclaringClass().getEnumConstants();
    return read(
            name,
            text -> Arrays.stream(all).filter(e -> e.name().equalsIgnoreCase(text)).findFirst(),
            "one of " + String.join(", ", Arrays.stream(all).map(Enum::name).toList()))
        .orElse(otherwise);
  }

  Optional<LabelSelector> selector(String name) {
    if (!has(name)) {
      return Optional.empty();
    }
    try {
      return Optional.of(LabelSelector.parse(text(name, "")));
    } catch (IllegalArgumentException wrong) {
      problem(name, String.valueOf(wrong.getMessage()));
      return Optional.empty();
    }
  }

  /** A string map, e.g. labels. */
  Map<String, String> texts(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    JsonNode value = get(name);
    if (!value.isMissingNode() && !value.isObject()) {
      problem(name, "should be names with values");
      return texts;
    }
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      if (entry.getValue().isContainerNode()) {
        problem(name + "." + entry.getKey(), "should be one value");
      } else {
        texts.put(entry.getKey(), entry.getValue().asText(""));
      }
    }
    return texts;
  }

  /** A map of numbers, e.g. pods per node. */
  Map<String, Integer> counts(String name) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    object(name)
        .ifPresent(
            each ->
                each.object
                    .fieldNames()
                    .forEachRemaining(key -> counts.put(key, each.count(key, 0))));
    return counts;
  }

  /** A list of values, or a single value. */
  List<String> list(String name) {
    JsonNode value = get(name);
    List<String> texts = new ArrayList<>();
    if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        if (value.get(i).isValueNode()) {
          texts.add(value.get(i).asText(""));
        } else {
          problem(name + "[" + i + "]", "should be one value");
        }
      }
    } else if (value.isObject()) {
      problem(name, "should be a list");
    } else if (!value.isMissingNode()) {
      texts.add(value.asText(""));
    }
    return texts;
  }

  /** Each value is read with a parser that returns nothing for invalid text. */
  <T> List<T> list(String name, Function<String, Optional<T>> reader, String wanted) {
    List<T> values = new ArrayList<>();
    for (String text : list(name)) {
      reader
          .apply(text)
          .ifPresentOrElse(
              values::add, () -> problem(name, "\"" + text + "\" should be " + wanted));
    }
    return values;
  }

  /** A list in which {@code r1..r40} stands for forty names. */
  List<String> names(String name) {
    List<String> names = new ArrayList<>();
    for (String text : list(name)) {
      Matcher series = SERIES.matcher(text);
      if (!text.contains("..")) {
        names.add(text);
      } else if (series.matches() && (series.group(3).isEmpty() || isOneStem(series))) {
        addSeries(names, name, series);
      } else {
        problem(name, "\"" + text + "\" should be a name, or names like r1..r40");
      }
    }
    return names;
  }

  private static boolean isOneStem(Matcher series) {
    return series.group(1).equals(series.group(3));
  }

  private void addSeries(List<String> names, String name, Matcher series) {
    int first = Integer.parseInt(series.group(2));
    int last = Integer.parseInt(series.group(4));
    if (first > last || last - first >= LONGEST_SERIES) {
      problem(
          name, "\"" + series.group() + "\" should count upwards, " + LONGEST_SERIES + " at most");
      return;
    }
    for (int i = first; i <= last; i++) {
      names.add(series.group(1) + i);
    }
  }

  Optional<FieldReader> object(String name) {
    return has(name)
        ? Optional.of(new FieldReader(path(name), get(name), problems))
        : Optional.empty();
  }

  List<FieldReader> objects(String name) {
    JsonNode value = get(name);
    List<FieldReader> objects = new ArrayList<>();
    if (!value.isMissingNode() && !value.isArray()) {
      problem(name, "should be a list");
    }
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      objects.add(new FieldReader(path(name) + "[" + i + "]", value.get(i), problems));
    }
    return objects;
  }

  /** A similar field that may be a misspelling of a missing one. */
  Optional<String> insteadOf(String name) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return has(name) ? Optional.empty() : NearestName.to(name, names);
  }

  /** Call this after reading all fields: the others are mistakes. */
  void refuseOthers() {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (!known.contains(entry.getKey())) {
        problem(
            entry.getKey(), "there is no such field; " + NearestName.meant(entry.getKey(), known));
      }
    }
    if (!wrong) {
      perhaps.forEach(this::add);
    }
    perhaps.clear();
  }
}
