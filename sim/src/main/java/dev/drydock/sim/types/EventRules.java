package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.fields.Schema;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Events, stored in their core form and served in both groups, which differ only in field names.
 */
final class EventRules implements BuiltInRules {
  private static final Map<String, String> CORE_TO_NEW =
      Map.of(
          "message", "note",
          "involvedObject", "regarding",
          "source", "deprecatedSource",
          "firstTimestamp", "deprecatedFirstTimestamp",
          "lastTimestamp", "deprecatedLastTimestamp",
          "count", "deprecatedCount",
          "reportingComponent", "reportingController");
  private static final Map<String, String> NEW_TO_CORE = new HashMap<>();

  static {
    CORE_TO_NEW.forEach((core, renamed) -> NEW_TO_CORE.put(renamed, core));
  }

  private final boolean newForm;

  EventRules(boolean newForm) {
    this.newForm = newForm;
  }

  @Override
  public boolean hasStatus() {
    return false;
  }

  @Override
  public boolean countsGenerations() {
    return false;
  }

  @Override
  public String storageGroup(String group) {
    return "";
  }

  /** Converts from the stored form. */
  @Override
  public Schema schema(ResourceType type) {
    return Schema.ofKind("", "v1", "Event");
  }

  @Override
  public List<String> dropUnknown(ObjectNode object, ResourceType type) {
    return KnownFields.dropUnknown(
        object, type, Schema.ofKind(type.group(), type.version(), "Event"));
  }

  @Override
  public ObjectNode stored(ObjectNode served) {
    return newForm ? renamed(served, NEW_TO_CORE).put("apiVersion", "v1") : served;
  }

  @Override
  public ObjectNode served(ObjectNode stored) {
    return newForm ? renamed(stored, CORE_TO_NEW) : stored;
  }

  /** Field selectors use the names of the stored form. */
  @Override
  public Map<String, SelectableField> selectableFields() {
    Map<String, SelectableField> fields = new HashMap<>();
    String object = newForm ? "regarding" : "involvedObject";
    for (String field :
        new String[] {
          "kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"
        }) {
      fields.put(object + "." + field, SelectableField.of("involvedObject." + field));
    }
    fields.put("reason", SelectableField.of("reason"));
    fields.put("type", SelectableField.of("type"));
    fields.put(
        newForm ? "reportingController" : "reportingComponent",
        SelectableField.of("reportingComponent"));
    if (!newForm) {
      fields.put("source", SelectableField.of("source.component"));
    }
    return fields;
  }

  private static ObjectNode renamed(ObjectNode event, Map<String, String> names) {
    ObjectNode renamed = JsonTrees.object();
    for (Map.Entry<String, JsonNode> field : event.properties()) {
      renamed.set(names.getOrDefault(field.getKey(), field.getKey()), field.getValue());
    }
    return renamed;
  }
}
