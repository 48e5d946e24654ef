package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.select.FieldSelector;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import dev.drydock.sim.select.LabelMatcher;
import java.util.HashMap;
import java.util.Map;

/** Selects the objects of a list or watch. */
record Selection(String name, LabelMatcher labels, FieldSelector fields) {
  static Selection of(ApiRequest request, Target target) {
    try {
      String labels = request.parameter("labelSelector");
      String fields = request.parameter("fieldSelector");
      return new Selection(
          target.name(),
          labels.isEmpty() ? LabelMatcher.ALL : LabelMatcher.parse(labels),
          fields.isEmpty()
              ? FieldSelector.ALL
              : FieldSelector.parse(fields, selectable(target.type())));
    } catch (IllegalArgumentException e) {
      throw StatusException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, SelectableField> selectable(ResourceType type) {
    Map<String, SelectableField> fields = new HashMap<>(type.rules().selectableFields());
    fields.put("metadata.name", SelectableField.of("metadata.name"));
    if (type.namespaced()) {
      fields.put("metadata.namespace", SelectableField.of("metadata.namespace"));
    }
    return fields;
  }

  boolean matches(JsonNode object) {
    return (name.isEmpty() || name.equals(object.path("metadata").path("name").asText()))
        && labels.matches(object)
        && fields.matches(object);
  }

  boolean isAll() {
    return name.isEmpty() && labels.requirements().isEmpty() && fields.isAll();
  }
}
