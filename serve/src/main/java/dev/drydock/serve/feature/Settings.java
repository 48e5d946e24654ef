package dev.drydock.serve.feature;

import java.util.Map;
import java.util.Optional;

/**
 * The settings that count, valid as a whole.
 *
 * @param values by setting
 */
public record Settings(Map<Setting<?>, Object> values) {
  public Settings {
    values = Map.copyOf(values);
  }

  @SuppressWarnings("unchecked") // the kind of the setting made the value
  public <T> T get(Setting<T> setting) {
    return Optional.ofNullable((T) values.get(setting))
        .orElseThrow(() -> new IllegalArgumentException("no such setting here: " + setting));
  }
}
