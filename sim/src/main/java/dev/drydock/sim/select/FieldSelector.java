package dev.drydock.sim.select;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Selects by the selectable fields of a type. */
public final class FieldSelector {
  public static final FieldSelector ALL = new FieldSelector(List.of());

  private record Requirement(SelectableField field, boolean equal, String value) {}

  /** A field and the only value of it that is selected. */
  public record Exact(SelectableField field, String value) {
    public static Exact of(String dotted, String value) {
      return new Exact(SelectableField.of(dotted), value);
    }
  }

  private final List<Requirement> requirements;

  private FieldSelector(List<Requirement> requirements) {
    this.requirements = requirements;
  }

  /**
   * Parses {@code spec.nodeName=a,status.phase!=Failed}.
   *
   * @throws IllegalArgumentException if it is not a selector, or the field is not selectable
   */
  public static FieldSelector parse(String text, Map<String, SelectableField> fields) {
    List<Requirement> requirements = new ArrayList<>();
    for (String term : text.split(",", -1)) {
      int equals = term.indexOf('=');
      if (term.isBlank()) {
        continue;
      }
      if (equals < 1) {
        throw new IllegalArgumentException("invalid selector: '%s'".formatted(text));
      }
      boolean not = term.charAt(equals - 1) == '!';
      String name = term.substring(0, not ? equals - 1 : equals).strip();
      boolean twice = !not && term.startsWith("==", equals);
      String value = term.substring(equals + (twice ? 2 : 1)).strip();
      SelectableField field = fields.get(name);
      if (field == null) {
        throw new IllegalArgumentException("field label not supported: " + name);
      }
      requirements.add(new Requirement(field, !not, value));
    }
    return new FieldSelector(requirements);
  }

  public boolean matches(JsonNode object) {
    return requirements.stream()
        .allMatch(each -> each.field().valueIn(object).equals(each.value()) == each.equal());
  }

  /** What every object that matches has in common, if anything: for finding them by an index. */
  public Optional<Exact> exact() {
    return requirements.stream()
        .filter(Requirement::equal)
        .map(each -> new Exact(each.field(), each.value()))
        .findFirst();
  }

  public boolean isAll() {
    return requirements.isEmpty();
  }

  /** A selectable field's path, and its value if an object does not have it. */
  public record SelectableField(List<String> path, String ifAbsent) {
    public static SelectableField of(String dotted) {
      return new SelectableField(List.of(dotted.split("\\.", -1)), "");
    }

    public String valueIn(JsonNode object) {
      String value = JsonTrees.text(object, path.toArray(String[]::new));
      return value.isEmpty() ? ifAbsent : value;
    }
  }
}
