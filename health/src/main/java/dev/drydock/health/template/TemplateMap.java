package dev.drydock.health.template;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A map with keys in order.
 *
 * @param zero what {@code index} finds for a key that is not there
 */
public record TemplateMap(Map<String, ?> entries, Object zero) {
  public TemplateMap {
    entries = Collections.unmodifiableMap(new TreeMap<>(entries));
  }
}
