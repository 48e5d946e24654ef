package dev.drydock.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Parts of API objects as records. What a newer version of a definition added is left aside; apart
 * from {@link Json}, because a mapper takes a while to build and short commands need none.
 */
public final class Typed {
  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private Typed() {}

  /** Of an object that the server has checked against its definition. */
  public static <T> T read(JsonNode part, Class<T> type) {
    try {
      return JSON.treeToValue(part, type);
    } catch (JsonProcessingException notChecked) {
      throw new IllegalStateException(
          "the server let a malformed %s pass".formatted(type.getSimpleName()), notChecked);
    }
  }

  /** A tree of the fields that are not null. */
  static JsonNode tree(Object part) {
    return JSON.valueToTree(part);
  }

  public static String write(Object part) {
    try {
      return JSON.writeValueAsString(part);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
