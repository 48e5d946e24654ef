package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** Secrets: stringData is stored encoded. */
final class SecretRules implements BuiltInRules {
  @Override
  public boolean hasStatus() {
    return false;
  }

  @Override
  public boolean countsGenerations() {
    return false;
  }

  @Override
  public Map<String, SelectableField> selectableFields() {
    return Map.of("type", SelectableField.of("type"));
  }

  @Override
  public void beforeCreate(ObjectNode object) {
    JsonTrees.putIfAbsent(object, "type", "Opaque");
    encode(object);
  }

  @Override
  public void beforeUpdate(ObjectNode object, ObjectNode before) {
    encode(object);
  }

  private static void encode(ObjectNode secret) {
    JsonNode plain = secret.remove("stringData");
    if (plain == null) {
      return;
    }
    ObjectNode data = JsonTrees.child(secret, "data");
    plain
        .properties()
        .forEach(
            entry ->
                data.put(
                    entry.getKey(),
                    Base64.getEncoder()
                        .encodeToString(
                            entry.getValue().asText().getBytes(StandardCharsets.UTF_8))));
  }
}
