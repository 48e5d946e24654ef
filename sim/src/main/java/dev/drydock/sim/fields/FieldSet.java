package dev.drydock.sim.fields;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A set of an object's fields, as a tree. Path elements are written as in {@code managedFields}:
 * {@code f:name}, {@code k:{"key":"value"}}, {@code v:value}.
 */
final class FieldSet {
  private static final String SELF = ".";
  private static final FieldSet EMPTY = new FieldSet();

  private final SortedMap<String, FieldSet> below = new TreeMap<>();
  private boolean member;

  static FieldSet parse(JsonNode fields) {
    FieldSet set = new FieldSet();
    set.member = fields.isEmpty() || fields.has(SELF);
    for (var field : fields.properties()) {
      if (!field.getKey().equals(SELF)) {
        set.below.put(field.getKey(), parse(field.getValue()));
      }
    }
    return set;
  }

  /** The set of the fields of a whole object; the root itself is not a field. */
  static FieldSet parseRoot(JsonNode fields) {
    FieldSet set = parse(fields);
    set.member = false;
    return set;
  }

  void insert(List<String> path) {
    FieldSet set = this;
    for (String step : path) {
      set = set.below.computeIfAbsent(step, _ -> new FieldSet());
    }
    set.member = true;
  }

  boolean isMember() {
    return member;
  }

  SortedMap<String, FieldSet> below() {
    return below;
  }

  FieldSet at(String step) {
    return below.getOrDefault(step, EMPTY);
  }

  boolean isEmpty() {
    return !member && below.isEmpty();
  }

  FieldSet union(FieldSet other) {
    FieldSet set = new FieldSet();
    set.member = member || other.member;
    below.forEach((step, child) -> set.below.put(step, child.union(other.at(step))));
    other.below.forEach((step, child) -> set.below.putIfAbsent(step, child));
    return set;
  }

  FieldSet minus(FieldSet other) {
    FieldSet set = new FieldSet();
    set.member = member && !other.member;
    below.forEach((step, child) -> set.putUnlessEmpty(step, child.minus(other.at(step))));
    return set;
  }

  FieldSet intersection(FieldSet other) {
    FieldSet set = new FieldSet();
    set.member = member && other.member;
    below.forEach((step, child) -> set.putUnlessEmpty(step, child.intersection(other.at(step))));
    return set;
  }

  private void putUnlessEmpty(String step, FieldSet child) {
    if (!child.isEmpty()) {
      below.put(step, child);
    }
  }

  ObjectNode json() {
    ObjectNode json = JsonTrees.object();
    if (member && !below.isEmpty()) {
      json.putObject(SELF);
    }
    below.forEach((step, child) -> json.set(step, child.json()));
    return json;
  }

  /** All fields in readable form, such as {@code .spec.ports[port=80].name}. */
  List<String> paths() {
    List<String> paths = new ArrayList<>();
    collect("", paths);
    return paths;
  }

  private void collect(String path, List<String> paths) {
    if (member) {
      paths.add(path);
    }
    below.forEach((step, child) -> child.collect(path + shown(step), paths));
  }

  private static String shown(String step) {
    String content = step.substring(2);
    return switch (step.charAt(0)) {
      case 'k' ->
          read(content).properties().stream()
              .map(key -> key.getKey() + "=" + key.getValue())
              .collect(Collectors.joining(",", "[", "]"));
      case 'v' -> "[=" + content + "]";
      case 'i' -> "[" + content + "]";
      default -> "." + content;
    };
  }

  private static JsonNode read(String json) {
    try {
      return JsonTrees.MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not the key of an element: " + json, e);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldSet set && member == set.member && below.equals(set.below);
  }

  @Override
  public int hashCode() {
    return below.hashCode();
  }

  @Override
  public String toString() {
    return paths().toString();
  }
}
