package dev.drydock.app.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The settings that count, and where each came from. */
record EffectiveConfig(Settings settings, Map<Setting<?>, Written> written) {

  /**
   * A value as written by the user.
   *
   * @param source who, for people
   */
  record Written(JsonNode value, String source) {}

  /** A file that says the same, with the source of each value behind it. */
  String yaml() {
    Map<String, List<String>> sections = new LinkedHashMap<>();
    written.forEach(
        (setting, value) -> {
          int dot = setting.path().indexOf('.');
          sections
              .computeIfAbsent(
                  setting.path().substring(0, Math.max(dot, 0)), _ -> new ArrayList<>())
              .add(
                  "%s: %s # %s\n"
                      .formatted(
                          setting.path().substring(dot + 1),
                          write(setting, value.value()),
                          value.source()));
        });
    StringBuilder text = new StringBuilder();
    sections.forEach(
        (section, lines) -> {
          text.append(section.isEmpty() ? "" : section + ":\n");
          lines.forEach(line -> text.append(section.isEmpty() ? "" : "  ").append(line));
        });
    return text.toString();
  }

  /** JSON is YAML that no text can break out of. */
  private static String write(Setting<?> setting, JsonNode value) {
    JsonNode shown = setting.kind().shown().apply(value);
    String text = shown.asText();
    return text.matches("[A-Za-z0-9][A-Za-z0-9.-]*") ? text : shown.toString();
  }
}
