package dev.drydock.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Converts parts of API objects to records. Ignores fields of newer CRD versions. Separate from
 * {@link Json} because an object mapper is slow to build and short commands need none.
 */
public final class Typed {
  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private Typed() {}

  /** Converts an object that the server has validated against its schema. */
  public static <T> T read(JsonNode part, Class<T> type) {
    try {
      return JSON.treeToValue(part, type);
    } catch (JsonProcessingException notChecked) {
      throw new IllegalStateException(
          "the API server accepted a malformed %s".formatted(type.getSimpleName()), notChecked);
    }
  }

  public static String write(Object part) {
    try {
      return JSON.writeValueAsString(part);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
