package dev.drydock.app.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Map;

/** The settings that count, and where each came from. */
record EffectiveConfig(OperatorConfig config, Map<ConfigKey, Setting> settings) {

  /**
   * A value as somebody wrote it.
   *
   * @param source who, for people
   */
  record Setting(JsonNode value, String source) {}

  /** A file that says the same, with the source of each value behind it. */
  String yaml() {
    StringBuilder text = new StringBuilder();
    String section = "";
    for (ConfigKey key : ConfigKey.values()) {
      int dot = key.path().indexOf('.');
      String own = key.path().substring(0, Math.max(dot, 0));
      if (!own.isEmpty() && !own.equals(section)) {
        text.append(own).append(":\n");
      }
      section = own;
      Setting setting = settings.get(key);
      if (setting != null) {
        text.append(own.isEmpty() ? "" : "  ").append(key.path().substring(dot + 1)).append(": ");
        text.append(write(key, setting.value())).append(" # ").append(setting.source());
        text.append('\n');
      }
    }
    return text.toString();
  }

  /** JSON is YAML that no text can break out of. */
  private static String write(ConfigKey key, JsonNode value) {
    if (key.kind() == ConfigKey.Kind.CHANNELS) {
      JsonNode shown = value.deepCopy();
      shown.forEach(channel -> hideUrl((ObjectNode) channel));
      return shown.toString();
    }
    String text = value.asText();
    return text.matches("[A-Za-z0-9][A-Za-z0-9.-]*") ? text : value.toString();
  }

  /** Whoever knows the path of a chat's webhook may write to the chat. */
  private static void hideUrl(ObjectNode channel) {
    if (channel.hasNonNull("url")) {
      URI url = URI.create(channel.path("url").asText());
      channel.put("url", url.getScheme() + "://" + url.getAuthority() + "/...");
    }
  }
}
