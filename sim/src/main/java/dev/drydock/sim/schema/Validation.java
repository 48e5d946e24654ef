package dev.drydock.sim.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.json.JsonTrees;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Validates a value against a structural schema, without CEL rules. */
final class Validation {
  private static final String INT_OR_STRING = "x-kubernetes-int-or-string";

  private Validation() {}

  static List<Cause> validate(JsonNode value, JsonNode schema, String path) {
    List<Cause> causes = new ArrayList<>();
    check(value, schema, path, causes);
    return causes;
  }

  private static void check(JsonNode value, JsonNode schema, String path, List<Cause> causes) {
    if (value.isNull() && schema.path("nullable").asBoolean()) {
      return;
    }
    if (!isOfType(value, schema)) {
      String type = schema.path("type").asText("integer or string");
      causes.add(
          new Cause(
              "FieldValueTypeInvalid",
              path,
              "Invalid value: %s: %s in body must be of type %s: %s"
                  .formatted(nameOf(value), path, type, nameOf(value))));
      return;
    }
    checkEnum(value, schema, path, causes);
    checkCombinations(value, schema, path, causes);
    if (value.isObject()) {
      checkObject(value, schema, path, causes);
    } else if (value.isArray()) {
      checkList(value, schema, path, causes);
    } else if (value.isTextual()) {
      checkText(value.asText(), schema, path, causes);
    } else if (value.isNumber()) {
      checkNumber(value.decimalValue(), schema, path, causes);
    }
  }

  private static boolean isOfType(JsonNode value, JsonNode schema) {
    if (schema.path(INT_OR_STRING).asBoolean()) {
      return value.isIntegralNumber() || value.isTextual();
    }
    return switch (schema.path("type").asText()) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "boolean" -> value.isBoolean();
      case "integer" -> value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
      case "number" -> value.isNumber();
      default -> true;
    };
  }

  private static String nameOf(JsonNode value) {
    return "\"" + value.getNodeType().name().toLowerCase(java.util.Locale.ROOT) + "\"";
  }

  private static void checkEnum(JsonNode value, JsonNode schema, String path, List<Cause> causes) {
    JsonNode allowed = schema.path("enum");
    if (!allowed.isMissingNode() && allowed.valueStream().noneMatch(value::equals)) {
      String all = String.join(", ", allowed.valueStream().map(JsonNode::toString).toList());
      causes.add(
          new Cause(
              "FieldValueNotSupported",
              path,
              "Unsupported value: %s: supported values: %s".formatted(value, all)));
    }
  }

  private static void checkCombinations(
      JsonNode value, JsonNode schema, String path, List<Cause> causes) {
    schema.path("allOf").forEach(each -> check(value, each, path, causes));
    if (schema.has("anyOf") && fulfilled(value, schema.path("anyOf")) == 0) {
      causes.add(Cause.invalid(path, path + " in body must validate at least one schema (anyOf)"));
    }
    if (schema.has("oneOf") && fulfilled(value, schema.path("oneOf")) != 1) {
      causes.add(
          Cause.invalid(path, path + " in body must validate one and only one schema (oneOf)"));
    }
    if (schema.has("not") && validate(value, schema.path("not"), path).isEmpty()) {
      causes.add(Cause.invalid(path, path + " in body must not validate the schema (not)"));
    }
  }

  private static long fulfilled(JsonNode value, JsonNode schemas) {
    return schemas.valueStream().filter(each -> validate(value, each, "").isEmpty()).count();
  }

  private static void checkObject(
      JsonNode value, JsonNode schema, String path, List<Cause> causes) {
    for (String required : JsonTrees.texts(schema.path("required"))) {
      if (!value.has(required)) {
        causes.add(Cause.required(below(path, required)));
      }
    }
    checkSize(value.size(), schema, "Properties", path, causes);
    JsonNode properties = schema.path("properties");
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      JsonNode fieldSchema =
          properties.has(field.getKey())
              ? properties.path(field.getKey())
              : schema.path("additionalProperties");
      check(field.getValue(), fieldSchema, below(path, field.getKey()), causes);
    }
  }

  private static void checkList(JsonNode value, JsonNode schema, String path, List<Cause> causes) {
    checkSize(value.size(), schema, "Items", path, causes);
    List<String> keys = JsonTrees.texts(schema.path("x-kubernetes-list-map-keys"));
    boolean set =
        schema.path("x-kubernetes-list-type").asText().equals("set")
            || schema.path("uniqueItems").asBoolean();
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < value.size(); i++) {
      JsonNode element = value.path(i);
      String at = path + "[" + i + "]";
      check(element, schema.path("items"), at, causes);
      Object identity = set ? element : keys.stream().map(element::path).toList();
      if ((set || !keys.isEmpty()) && !seen.add(identity)) {
        causes.add(new Cause("FieldValueDuplicate", at, "Duplicate value: " + element));
      }
    }
  }

  private static void checkText(String text, JsonNode schema, String path, List<Cause> causes) {
    checkSize(text.codePointCount(0, text.length()), schema, "Length", path, causes);
    JsonNode pattern = schema.path("pattern");
    if (pattern.isTextual() && !Pattern.compile(pattern.asText()).matcher(text).find()) {
      causes.add(
          Cause.invalid(
              path,
              "\"%s\": %s in body should match '%s'".formatted(text, path, pattern.asText())));
    }
  }

  private static void checkSize(
      int size, JsonNode schema, String what, String path, List<Cause> causes) {
    if (schema.has("min" + what) && size < schema.path("min" + what).asInt()) {
      causes.add(
          Cause.invalid(path, "must have at least " + schema.path("min" + what) + " " + what));
    }
    if (schema.has("max" + what) && size > schema.path("max" + what).asInt()) {
      causes.add(
          new Cause(
              "FieldValueTooLong",
              path,
              "Too long: may not be more than " + schema.path("max" + what)));
    }
  }

  private static void checkNumber(
      BigDecimal number, JsonNode schema, String path, List<Cause> causes) {
    JsonNode minimum = schema.path("minimum");
    JsonNode maximum = schema.path("maximum");
    int least = schema.path("exclusiveMinimum").asBoolean() ? 1 : 0;
    int most = schema.path("exclusiveMaximum").asBoolean() ? -1 : 0;
    if (minimum.isNumber() && number.compareTo(minimum.decimalValue()) < least) {
      causes.add(outOfRange(number, path, "greater than or equal to", minimum));
    }
    if (maximum.isNumber() && number.compareTo(maximum.decimalValue()) > most) {
      causes.add(outOfRange(number, path, "less than or equal to", maximum));
    }
    JsonNode unit = schema.path("multipleOf");
    if (unit.isNumber() && number.remainder(unit.decimalValue()).signum() != 0) {
      causes.add(outOfRange(number, path, "a multiple of", unit));
    }
  }

  private static Cause outOfRange(BigDecimal number, String path, String how, JsonNode limit) {
    return Cause.invalid(
        path, "%s: %s in body should be %s %s".formatted(number, path, how, limit));
  }

  static String below(String path, String field) {
    return path.isEmpty() ? field : path + "." + field;
  }
}
