package dev.drydock.app.operator;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.drydock.app.operator.EffectiveConfig.Written;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.NearestName;
import dev.drydock.contracts.FirstLine;
import dev.drydock.serve.feature.CoreSettings;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingProblems;
import dev.drydock.serve.feature.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Merges the settings: flags override variables, and variables override the file. Reports all
 * mistakes at once, with their source.
 */
final class ConfigReader {
  /** Where a file is found without being named. */
  static final Path DEFAULT_FILE = Path.of("/etc/config/notifyMaintenanceConfig.yaml");

  static final String FILE_FLAG = "--config";
  static final String FILE_VARIABLE = "DRYDOCK_CONFIG";

  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory()).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private final List<Setting<?>> known;
  private final List<String> problems = new ArrayList<>();
  private final Map<Setting<?>, Written> written = new LinkedHashMap<>();

  private ConfigReader(List<Setting<?>> known) {
    this.known = known;
  }

  /**
   * What the user said, besides the file.
   *
   * @param file named by a flag; it must exist
   * @param defaultFile taken if it exists and no other is named
   */
  record Given(
      Map<Setting<?>, String> flags,
      Map<String, String> environment,
      Optional<Path> file,
      Path defaultFile) {

    /** The file to read, if there is any. */
    Optional<Path> chosenFile() {
      return file.or(
              () ->
                  Optional.ofNullable(environment.get(FILE_VARIABLE))
                      .filter(name -> !name.isBlank())
                      .map(Path::of))
          .or(() -> Optional.of(defaultFile).filter(Files::exists));
    }
  }

  /** All settings that a file may have, whatever features are on. */
  static List<Setting<?>> known() {
    List<Setting<?>> all = new ArrayList<>(CoreSettings.ALL);
    all.addAll(Features.load().settings());
    return all;
  }

  /**
   * The effective settings.
   *
   * @param on features whose settings are read; those of others may be in the file, and are not
   *     judged
   * @param certain features whose settings must be complete
   * @throws CommandFailure of wrong usage, in one line
   */
  static EffectiveConfig read(Given given, Features on, Features certain) {
    return new ConfigReader(known()).effective(given, given.chosenFile(), on, certain);
  }

  /** The defaults, whatever file there is. */
  static Settings defaults(Features on) {
    Given nothing = new Given(Map.of(), Map.of(), Optional.empty(), DEFAULT_FILE);
    return new ConfigReader(known()).effective(nothing, Optional.empty(), on, on).settings();
  }

  private EffectiveConfig effective(
      Given given, Optional<Path> file, Features on, Features certain) {
    for (Setting<?> setting : known) {
      put(setting, setting.defaultText(), "default");
    }
    file.ifPresent(this::readFile);
    for (Setting<?> setting : known) {
      for (String name : setting.variables().reversed()) {
        String variable = given.environment().get(name);
        if (variable != null) {
          put(setting, variable, name); // the last one counts: that of its place in the file
        }
      }
      String flag = given.flags().get(setting);
      if (flag != null) {
        put(setting, flag, setting.flag());
      }
    }
    List<Setting<?>> wanted = new ArrayList<>(CoreSettings.ALL);
    wanted.addAll(on.settings());
    written.keySet().retainAll(wanted);
    Map<Setting<?>, Object> values = new HashMap<>();
    written.forEach((setting, value) -> values.put(setting, value(setting, value)));
    file.ifPresent(each -> requireAll(each, certain));
    if (!problems.isEmpty()) {
      throw CommandFailure.usage(String.join("; ", problems));
    }
    return new EffectiveConfig(new Settings(values), written);
  }

  private Object value(Setting<?> setting, Written value) {
    // A flag or a variable is as good as the key's own name.
    boolean named =
        setting.flag().equals(value.source()) || setting.variables().contains(value.source());
    String place = value.source() + (named ? "" : ": " + setting.path());
    return setting
        .kind()
        .reader()
        .apply(
            value.value(),
            new SettingProblems((below, what) -> problems.add(place + below + ": " + what)));
  }

  private void requireAll(Path file, Features certain) {
    for (Setting<?> setting : certain.settings()) {
      Written value = written.get(setting);
      if (setting.requiredInFile() && value != null && value.source().equals("default")) {
        problems.add(
            "%s: %s is missing; write e.g. %s: %s"
                .formatted(file, setting.path(), setting.path(), setting.defaultText()));
      }
    }
  }

  /** From a flag, a variable or here: one line of text, and only a list is more than a word. */
  private void put(Setting<?> setting, String text, String source) {
    try {
      boolean list = setting.kind().isList();
      written.put(setting, new Written(list ? YAML.readTree(text) : new TextNode(text), source));
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
      problems.add(file + ": must be a YAML mapping, for example slaPeriod: 5h");
    }
  }

  private void readSection(Path file, String prefix, JsonNode section) {
    for (Map.Entry<String, JsonNode> entry : section.properties()) {
      String path = prefix + entry.getKey();
      JsonNode value = entry.getValue();
      Optional<Setting<?>> setting =
          known.stream().filter(each -> each.path().equals(path)).findFirst();
      if (!names(prefix).contains(entry.getKey())) {
        String meant = NearestName.meant(entry.getKey(), names(prefix));
        problems.add("%s: %s: there is no such key; %s".formatted(file, path, meant));
      } else if (setting.isPresent() && !value.isNull()) {
        written.put(setting.get(), new Written(value, file.toString()));
      } else if (value.isObject()) {
        readSection(file, path + ".", value);
      } else if (!value.isNull()) { // a name with nothing behind it says nothing
        problems.add("%s: %s: must be a mapping".formatted(file, path));
      }
    }
  }

  /** Names of keys and sections on this level. */
  private List<String> names(String prefix) {
    return known.stream()
        .map(Setting::path)
        .filter(path -> path.startsWith(prefix))
        .map(path -> path.substring(prefix.length()).replaceAll("\\..*", ""))
        .distinct()
        .toList();
  }

  private static String explain(JsonProcessingException malformed) {
    String where =
        malformed.getLocation() == null ? "" : "line " + malformed.getLocation().getLineNr() + ": ";
    return where + FirstLine.of(malformed.getOriginalMessage());
  }
}
