package dev.drydock.simulate.export;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/** Reads string maps, such as labels. */
final class StringMaps {
  private StringMaps() {}

  static Map<String, String> of(JsonNode object) {
    Map<String, String> texts = new TreeMap<>();
    object.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText("")));
    return texts;
  }
}
