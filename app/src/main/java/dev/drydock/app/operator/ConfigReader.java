package dev.drydock.app.operator;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.drydock.app.operator.EffectiveConfig.Setting;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.NearestName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the settings together: a flag counts before a variable, that before the file, and that
 * before the default. Every mistake is told at once, with the place it was made in.
 */
final class ConfigReader {
  /** Where a file is found without being named. */
  static final Path USUAL_FILE = Path.of("/etc/config/notifyMaintenanceConfig.yaml");

  static final String FILE_FLAG = "--config";
  static final String FILE_VARIABLE = "DRYDOCK_CONFIG";

  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory()).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private final List<String> problems = new ArrayList<>();
  private final Map<ConfigKey, Setting> settings = new EnumMap<>(ConfigKey.class);

  private ConfigReader() {}

  /**
   * What the user said, besides the file.
   *
   * @param flags by key
   * @param file named by a flag; it must exist
   * @param usualFile taken if it exists and no other is named
   */
  record Given(
      Map<ConfigKey, String> flags,
      Map<String, String> environment,
      Optional<Path> file,
      Path usualFile) {

    /** The file to read, if there is any. */
    Optional<Path> chosenFile() {
      return file.or(
              () ->
                  Optional.ofNullable(environment.get(FILE_VARIABLE))
                      .filter(name -> !name.isBlank())
                      .map(Path::of))
          .or(() -> Optional.of(usualFile).filter(Files::exists));
    }
  }

  /**
   * The settings that count.
   *
   * @throws CommandFailure of wrong usage, in one line
   */
  static EffectiveConfig read(Given given) {
    return new ConfigReader().effective(given, given.chosenFile());
  }

  /** The defaults, whatever file there is. */
  static OperatorConfig usual() {
    Given nothing = new Given(Map.of(), Map.of(), Optional.empty(), USUAL_FILE);
    return new ConfigReader().effective(nothing, Optional.empty()).config();
  }

  private EffectiveConfig effective(Given given, Optional<Path> file) {
    for (ConfigKey key : ConfigKey.values()) {
      put(key, key.otherwise(), "default");
    }
    file.ifPresent(this::readFile);
    for (ConfigKey key : ConfigKey.values()) {
      String variable = given.environment().get(key.variable());
      if (variable != null) {
        put(key, variable, key.variable());
      }
      String flag = given.flags().get(key);
      if (flag != null) {
        put(key, flag, key.flag());
      }
    }
    ConfigValues values = new ConfigValues(settings, problems);
    OperatorConfig config = values.config();
    // Who writes a file wants its deadline kept: a file that lost the key is not taken for 5 hours.
    if (file.isPresent() && source(ConfigKey.SLA_PERIOD).equals("default")) {
      problems.add(
          "%s: %s is missing; write e.g. slaPeriod: 5h"
              .formatted(file.get(), ConfigKey.SLA_PERIOD.path()));
    }
    if (!problems.isEmpty()) {
      throw CommandFailure.usage(String.join("; ", problems));
    }
    return new EffectiveConfig(config, settings);
  }

  private String source(ConfigKey key) {
    Setting setting = settings.get(key);
    return setting == null ? "" : setting.source();
  }

  /** From a flag, a variable or here: one line of text, and only a list is more than a word. */
  private void put(ConfigKey key, String text, String source) {
    try {
      boolean list = key.kind().isList();
      settings.put(key, new Setting(list ? YAML.readTree(text) : new TextNode(text), source));
    } catch (JsonProcessingException malformed) {
      problems.add(source + ": " + explain(malformed));
    }
  }

  private void readFile(Path file) {
    JsonNode tree;
    try {
      tree = YAML.readTree(Files.readString(file));
    } catch (NoSuchFileException none) {
      problems.add(file + ": no such file");
      return;
    } catch (JsonProcessingException malformed) {
      problems.add(file + ": " + explain(malformed));
      return;
    } catch (IOException unreadable) {
      problems.add(file + ": cannot be read as text: " + unreadable.getMessage());
      return;
    }
    if (tree.isObject()) {
      readSection(file, "", tree);
    } else if (!tree.isMissingNode() && !tree.isNull()) {
      problems.add(file + ": should be keys with values, like slaPeriod: 5h");
    }
  }

  private void readSection(Path file, String prefix, JsonNode section) {
    for (Map.Entry<String, JsonNode> entry : section.properties()) {
      String path = prefix + entry.getKey();
      JsonNode value = entry.getValue();
      Optional<ConfigKey> key = ConfigKey.at(path);
      if (!names(prefix).contains(entry.getKey())) {
        String meant = nearest(entry.getKey(), names(prefix));
        problems.add("%s: %s: there is no such key; %s".formatted(file, path, meant));
      } else if (key.isPresent() && !value.isNull()) {
        settings.put(key.get(), new Setting(value, file.toString()));
      } else if (value.isObject()) {
        readSection(file, path + ".", value);
      } else if (!value.isNull()) { // a name with nothing behind it says nothing
        problems.add("%s: %s: should be an object with keys".formatted(file, path));
      }
    }
  }

  /** Names of keys and sections on this level. */
  private static List<String> names(String prefix) {
    return Arrays.stream(ConfigKey.values())
        .map(ConfigKey::path)
        .filter(path -> path.startsWith(prefix))
        .map(path -> path.substring(prefix.length()).replaceAll("\\..*", ""))
        .distinct()
        .toList();
  }

  /** What was meant, as the end of a message. */
  static String nearest(String name, List<String> known) {
    return NearestName.to(name, known)
        .map(near -> "did you mean " + near + "?")
        .orElse("known are " + String.join(", ", known));
  }

  private static String explain(JsonProcessingException malformed) {
    String where =
        malformed.getLocation() == null ? "" : "line " + malformed.getLocation().getLineNr() + ": ";
    return where + String.valueOf(malformed.getOriginalMessage()).lines().findFirst().orElse("");
  }
}
