package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.select.FieldSelector;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import dev.drydock.sim.select.LabelSelectors;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Which objects of a list or watch are meant; namespace and name may be empty. */
record Selection(String namespace, String name, LabelSelector labels, FieldSelector fields) {
  static Selection of(ApiRequest request, Target target) {
    try {
      String labels = request.parameter("labelSelector");
      String fields = request.parameter("fieldSelector");
      return new Selection(
          target.namespace(),
          target.name(),
          LabelSelectors.parse(labels),
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
        && LabelSelectors.matches(labels, object)
        && fields.matches(object);
  }

  /** What every object that is meant has in common, if anything: for finding them by an index. */
  Optional<FieldSelector.Exact> exact() {
    if (!name.isEmpty()) {
      return Optional.of(FieldSelector.Exact.of("metadata.name", name));
    }
    return fields
        .exact()
        .or(
            () ->
                namespace.isEmpty()
                    ? Optional.empty()
                    : Optional.of(FieldSelector.Exact.of("metadata.namespace", namespace)));
  }

  /** The only value of this field that is meant, or empty. */
  String only(String field) {
    return exact()
        .filter(exact -> exact.equals(FieldSelector.Exact.of(field, exact.value())))
        .map(FieldSelector.Exact::value)
        .orElse("");
  }

  boolean isAll() {
    return name.isEmpty() && labels.requirements().isEmpty() && fields.isAll();
  }
}
