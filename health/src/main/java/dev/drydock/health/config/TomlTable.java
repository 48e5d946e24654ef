package dev.drydock.health.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import dev.drydock.contracts.FirstLine;
import dev.drydock.contracts.GoDuration;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table of a configuration file in TOML. A value that cannot be used is refused with one line
 * that names the file and the key.
 *
 * @param source where the table comes from, for people
 * @param where what precedes a key in messages, e.g. {@code customDrain.}
 */
public record TomlTable(String source, String where, JsonNode json) {
  private static final Logger LOG = LoggerFactory.getLogger(TomlTable.class);
  private static final TomlMapper TOML = new TomlMapper();

  /**
   * Reads a file.
   *
   * @throws ConfigFileInvalid if it is missing or not TOML
   */
  public static TomlTable read(Path file) {
    try {
      return parse(Files.readString(file), file.toString());
    } catch (NoSuchFileException missing) {
      throw new ConfigFileInvalid("no file " + file);
    } catch (IOException unreadable) {
      throw new ConfigFileInvalid(
          "file %s cannot be read: %s".formatted(file, unreadable.getMessage()));
    }
  }

  /** An empty table if the file does not exist. */
  public static TomlTable readIfExists(Path file) {
    return Files.exists(file) ? read(file) : new TomlTable(file.toString(), "", Json.object());
  }

  public static TomlTable parse(String text, String source) {
    try {
      return new TomlTable(source, "", TOML.readTree(text));
    } catch (JsonProcessingException syntax) {
      throw new ConfigFileInvalid(
          "%s, line %d: not valid TOML: %s"
              .formatted(
                  source,
                  syntax.getLocation().getLineNr(),
                  FirstLine.of(syntax.getOriginalMessage())));
    }
  }

  /**
   * A table of this one; an empty one if it has none.
   *
   * @param named what precedes its keys in messages
   */
  public TomlTable table(String key, String named) {
    return of(json.path(key), named);
  }

  /** A table that was found in this file. */
  public TomlTable of(JsonNode table, String named) {
    return new TomlTable(source, named, table);
  }

  /** Logs the keys that are not known. They may be of a newer version, and have no effect. */
  public TomlTable known(Set<String> keys) {
    json.properties().stream()
        .map(Map.Entry::getKey)
        .filter(key -> !keys.contains(key))
        .forEach(key -> LOG.warn("{}: {}{} is not known and is ignored", source, where, key));
    return this;
  }

  /** Empty if the key is missing. */
  public String text(String key) {
    return text(key, "");
  }

  public String text(String key, String otherwise) {
    return json.path(key).asText(otherwise);
  }

  public String required(String key) {
    String text = text(key);
    if (text.isBlank()) {
      throw invalid(key + " is missing");
    }
    return text;
  }

  public List<String> texts(String key) {
    JsonNode list = json.path(key);
    if (!list.isMissingNode() && !list.isArray()) {
      throw invalid(key + " should be a list of texts");
    }
    return Fields.list(list);
  }

  public boolean isOn(String key) {
    JsonNode value = json.path(key);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw invalid("%s is %s, neither true nor false".formatted(key, value));
    }
    return value.asBoolean(false);
  }

  /** A whole number, which may be between quotes. */
  public int number(String key, int otherwise, int least, int most) {
    JsonNode value = json.path(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    String text = value.asText();
    long number = text.matches("-?\\d{1,18}") ? Long.parseLong(text) : Long.MIN_VALUE;
    if (number < least || number > most) {
      throw invalid("%s is %s, not a number from %d to %d".formatted(key, value, least, most));
    }
    return Math.toIntExact(number);
  }

  public Duration duration(String key, Duration otherwise) {
    JsonNode value = json.path(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    return GoDuration.find(value.asText())
        .filter(Duration::isPositive)
        .orElseThrow(
            () ->
                invalid(
                    "%s is %s, not a duration greater than 0, such as 5m".formatted(key, value)));
  }

  /**
   * One of several words.
   *
   * @param words all of them, for people
   */
  public <T> T word(
      String key, String otherwise, Function<String, Optional<T>> find, List<String> words) {
    String word = text(key, otherwise);
    return find.apply(word)
        .orElseThrow(
            () ->
                invalid(
                    "%s is \"%s\", which is none of %s"
                        .formatted(key, word, String.join(", ", words))));
  }

  /** What is wrong with this table, as the file's own error. */
  public ConfigFileInvalid invalid(String line) {
    return new ConfigFileInvalid(source + ": " + where + line);
  }
}
