package dev.drydock.health.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The original's variables about its database. {@code DATASTORE_YAML} or the file that {@code
 * DATASTORE_YAML_PATH} names may say the same; a variable of its own wins. Never printed, as one of
 * them is a password.
 */
public final class DatastoreVariables {
  private static final YAMLMapper YAML = new YAMLMapper();

  private final Map<String, String> values;

  private DatastoreVariables(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Reads them.
   *
   * @throws StoreMisconfigured if the YAML cannot be read
   */
  public static DatastoreVariables of(Map<String, String> environment) {
    Map<String, String> values = new HashMap<>();
    String yaml = environment.getOrDefault("DATASTORE_YAML", "");
    String path = environment.getOrDefault("DATASTORE_YAML_PATH", "");
    if (!yaml.isBlank()) {
      take(values, "$DATASTORE_YAML", yaml);
    } else if (!path.isBlank()) {
      take(values, path, content(path));
    }
    environment.forEach(
        (name, value) -> {
          if (!value.isBlank()) {
            values.put(name, value.strip());
          }
        });
    return new DatastoreVariables(values);
  }

  private static String content(String path) {
    try {
      return Files.readString(Path.of(path));
    } catch (IOException unreadable) {
      throw new StoreMisconfigured(
          "cannot read %s, which $DATASTORE_YAML_PATH names".formatted(path));
    }
  }

  private static void take(Map<String, String> values, String source, String text) {
    try {
      JsonNode yaml = YAML.readTree(text);
      values.put("DATASTORE_PROVIDER", yaml.path("provider").asText(""));
      for (Map.Entry<String, JsonNode> entry : yaml.path("connection").properties()) {
        values.put(
            "DATASTORE_" + entry.getKey().toUpperCase(Locale.ROOT), entry.getValue().asText(""));
      }
    } catch (JsonProcessingException malformed) {
      // not the parser's own words: they quote the text, which may have the password
      throw new StoreMisconfigured(
          "%s is not YAML: line %d".formatted(source, malformed.getLocation().getLineNr()));
    }
  }

  /** Empty also if it is blank. */
  public Optional<String> find(String name) {
    return Optional.ofNullable(values.get(name)).filter(value -> !value.isBlank());
  }

  public String get(String name, String otherwise) {
    return find(name).orElse(otherwise);
  }

  /**
   * One without which the store cannot be opened.
   *
   * @param meaning what to set it to, for people
   */
  public String required(String name, String meaning) {
    return find(name)
        .orElseThrow(
            () -> new StoreMisconfigured("$%s is not set: set it to %s".formatted(name, meaning)));
  }

  /** A number in bounds. */
  public int number(String name, int otherwise, int least, int most) {
    Optional<String> text = find(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    if (text.get().matches("\\d{1,9}")) {
      int number = Integer.parseInt(text.get());
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw new StoreMisconfigured(
        "$%s is \"%s\"; it should be a number from %d to %d"
            .formatted(name, text.get(), least, most));
  }
}
