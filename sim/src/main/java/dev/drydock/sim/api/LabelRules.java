package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.LabelSyntax;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Validates the keys and values of labels, annotations and taints. */
public final class LabelRules {
  private static final int LONGEST = 63;

  private LabelRules() {}

  static List<Cause> validate(JsonNode object) {
    List<Cause> causes = new ArrayList<>();
    for (Map.Entry<String, JsonNode> label :
        JsonTrees.at(object, "metadata", "labels").properties()) {
      validateKey("metadata.labels", label.getKey(), causes);
      validateValue("metadata.labels", label.getValue().asText(), causes);
    }
    for (String key : JsonTrees.keys(JsonTrees.at(object, "metadata", "annotations"))) {
      validateKey("metadata.annotations", key.toLowerCase(java.util.Locale.ROOT), causes);
    }
    return causes;
  }

  public static void validateKey(String field, String key, List<Cause> causes) {
    if (!LabelSyntax.isKey(key)) {
      causes.add(
          Cause.invalid(
              field,
              "\"%s\": name part must consist of alphanumeric characters, '-', '_' or '.', and must"
                      .formatted(key)
                  + " start and end with an alphanumeric character"));
    }
  }

  public static void validateValue(String field, String value, List<Cause> causes) {
    if (!LabelSyntax.isValue(value)) {
      causes.add(
          Cause.invalid(
              field,
              value.length() > LONGEST
                  ? "\"%s\": must be no more than %d bytes".formatted(value, LONGEST)
                  : ("\"%s\": a valid label must be an empty string or consist of alphanumeric"
                          + " characters, '-', '_' or '.', and must start and end with an"
                          + " alphanumeric character")
                      .formatted(value)));
    }
  }
}
