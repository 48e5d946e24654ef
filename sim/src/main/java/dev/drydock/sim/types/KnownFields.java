package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.Json;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The fields of built-in types, as the client library's model classes know them. */
final class KnownFields {
  private static final KubernetesSerialization MODEL = new KubernetesSerialization();
  private static final Map<JavaType, Map<String, JavaType>> FIELDS = new ConcurrentHashMap<>();

  private KnownFields() {}

  /** Drops fields that the type does not have, and names them. What is empty goes unnamed. */
  static List<String> dropUnknown(ObjectNode object, ResourceType type) {
    Class<?> model = MODEL.getRegisteredKubernetesResource(type.apiVersion(), type.names().kind());
    List<String> unknown = new ArrayList<>();
    if (model != null) {
      drop(object, Json.MAPPER.constructType(model), "", unknown);
    }
    return unknown;
  }

  private static void drop(JsonNode value, JavaType type, String path, List<String> unknown) {
    if (value.isArray() && type.isCollectionLikeType()) {
      for (int i = 0; i < value.size(); i++) {
        drop(value.path(i), type.getContentType(), path + "[" + i + "]", unknown);
      }
    } else if (value instanceof ObjectNode object && type.isMapLikeType()) {
      object
          .properties()
          .forEach(
              entry -> drop(entry.getValue(), type.getContentType(), below(path, entry), unknown));
    } else if (value instanceof ObjectNode object && isDescribed(type)) {
      dropFields(object, type, path, unknown);
    }
  }

  private static void dropFields(
      ObjectNode object, JavaType type, String path, List<String> unknown) {
    Map<String, JavaType> fields = FIELDS.computeIfAbsent(type, KnownFields::fieldsOf);
    for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
      JavaType field = fields.get(entry.getKey());
      if (field == null) {
        unknown.add(below(path, entry));
        object.remove(entry.getKey());
      } else if (entry.getValue().isNull()) {
        object.remove(entry.getKey());
      } else {
        drop(entry.getValue(), field, below(path, entry), unknown);
        if (field.isContainerType() && entry.getValue().isEmpty()) {
          object.remove(entry.getKey());
        }
      }
    }
  }

  private static String below(String path, Map.Entry<String, JsonNode> entry) {
    return path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
  }

  private static Map<String, JavaType> fieldsOf(JavaType type) {
    Map<String, JavaType> fields = new HashMap<>();
    for (BeanPropertyDefinition property :
        Json.MAPPER.getDeserializationConfig().introspect(type).findProperties()) {
      fields.put(property.getName(), property.getPrimaryType());
    }
    return fields;
  }

  /** Whether the class says what its fields are, rather than taking anything. */
  private static boolean isDescribed(JavaType type) {
    JsonDeserialize read = type.getRawClass().getAnnotation(JsonDeserialize.class);
    boolean readsItself = read != null && read.using() != JsonDeserializer.None.class;
    return type.isConcrete()
        && !readsItself
        && type.getRawClass().getPackageName().startsWith("io.fabric8.kubernetes.api.model");
  }
}
