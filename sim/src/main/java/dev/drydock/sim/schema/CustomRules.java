package dev.drydock.sim.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.ScalePaths;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.api.TypeRules;
import dev.drydock.sim.fields.Schema;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of a custom resource, from its CRD. */
public final class CustomRules implements TypeRules {
  private final JsonNode version;
  private final JsonNode spec;
  private final JsonNode schema;
  private final CelRules celRules;

  private CustomRules(JsonNode version, JsonNode spec) {
    this.version = version;
    this.spec = spec;
    this.schema = JsonTrees.at(version, "schema", "openAPIV3Schema");
    this.celRules = new CelRules(schema);
  }

  /** The served versions of a CRD. */
  public static List<ResourceType> typesOf(ObjectNode definition) {
    JsonNode spec = definition.path("spec");
    if (JsonTrees.text(spec, "conversion", "strategy").equals("Webhook")) {
      throw StatusException.notSimulated("conversion of custom resources by webhook");
    }
    JsonNode names = spec.path("names");
    ResourceType.Names called =
        new ResourceType.Names(
            JsonTrees.text(names, "plural"),
            JsonTrees.text(names, "singular"),
            JsonTrees.text(names, "kind"),
            JsonTrees.text(names, "listKind"),
            JsonTrees.texts(names.path("shortNames")));
    List<ResourceType> types = new ArrayList<>();
    for (JsonNode version : spec.path("versions")) {
      if (version.path("served").asBoolean()) {
        types.add(
            new ResourceType(
                JsonTrees.text(spec, "group"),
                JsonTrees.text(version, "name"),
                called,
                JsonTrees.text(spec, "scope").equals("Namespaced"),
                new CustomRules(version, spec)));
      }
    }
    return types;
  }

  @Override
  public List<String> categories() {
    return JsonTrees.texts(JsonTrees.at(spec, "names", "categories"));
  }

  @Override
  public boolean isCustom() {
    return true;
  }

  @Override
  public boolean hasStatus() {
    return JsonTrees.at(version, "subresources", "status").isObject();
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }

  @Override
  public Map<String, SelectableField> selectableFields() {
    Map<String, SelectableField> fields = new HashMap<>();
    for (JsonNode field : version.path("selectableFields")) {
      String path = field.path("jsonPath").asText().substring(1);
      fields.put(path, SelectableField.of(path));
    }
    return fields;
  }

  @Override
  public void beforeCreate(ObjectNode object) {
    TypeRules.super.beforeCreate(object);
    tidy(object);
  }

  @Override
  public void beforeUpdate(ObjectNode object, ObjectNode before) {
    tidy(object);
  }

  @Override
  public void takeStatus(ObjectNode object, ObjectNode written) {
    TypeRules.super.takeStatus(object, written);
    tidy(object);
  }

  @Override
  public Schema schema(ResourceType type) {
    return Schema.ofCustom(schema);
  }

  @Override
  public @Nullable ScalePaths scale() {
    JsonNode scale = JsonTrees.at(version, "subresources", "scale");
    return scale.isObject()
        ? new ScalePaths(
            JsonTrees.text(scale, "specReplicasPath"),
            JsonTrees.text(scale, "statusReplicasPath"),
            JsonTrees.text(scale, "labelSelectorPath"))
        : null;
  }

  @Override
  public String deprecation(ResourceType type) {
    if (!version.path("deprecated").asBoolean()) {
      return "";
    }
    String told = JsonTrees.text(version, "deprecationWarning");
    if (!told.isEmpty()) {
      return told;
    }
    String kind = type.names().kind();
    String deprecated = "%s %s is deprecated".formatted(type.apiVersion(), kind);
    return spec.path("versions")
        .valueStream()
        .filter(each -> each.path("served").asBoolean() && !each.path("deprecated").asBoolean())
        .findFirst()
        .map(
            each ->
                "%s; use %s/%s %s"
                    .formatted(deprecated, type.group(), JsonTrees.text(each, "name"), kind))
        .orElse(deprecated);
  }

  @Override
  public JsonNode printerColumns() {
    return version.path("additionalPrinterColumns");
  }

  @Override
  public List<String> dropUnknown(ObjectNode object, ResourceType type) {
    return Pruning.pruneResource(object, schema);
  }

  private void tidy(ObjectNode object) {
    Defaulting.fillIn(object, schema);
  }

  @Override
  public List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    List<Cause> causes = Validation.validate(object, schema, "");
    // rules may rely on the types of the values they use
    return causes.isEmpty() ? celRules.check(object, before) : causes;
  }
}
