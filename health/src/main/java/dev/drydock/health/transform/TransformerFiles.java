package dev.drydock.health.transform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The transformers' own files, in TOML. A file that is missing has the defaults. */
public final class TransformerFiles {
  private static final TomlMapper TOML = new TomlMapper();

  private TransformerFiles() {}

  /**
   * Reads the Deduplicator's file.
   *
   * @throws IllegalArgumentException with one line that names the file and what is wrong in it
   */
  public static Deduplicator.Settings deduplicator(Path file) {
    Table table = Table.read(file);
    return new Deduplicator.Settings(
        table.duration("suppressionWindow", Duration.ofMinutes(3)),
        table.duration("cleanupInterval", Duration.ofSeconds(60)),
        new TreeSet<>(table.texts("includeChecks")));
  }

  public static MetadataAugmentor.Settings metadata(Path file) {
    Table table = Table.read(file);
    JsonNode size = table.json().path("cacheSize");
    int cacheSize = size.isMissingNode() ? 50 : size.asInt(0);
    if (cacheSize < 1) {
      throw table.wrong("cacheSize should be a number of at least 1");
    }
    String label = table.text("skipNodeLabel");
    int equals = label.indexOf('=');
    if (!label.isEmpty() && equals < 1) {
      throw table.wrong("skipNodeLabel should be key=value, not \"" + label + "\"");
    }
    return new MetadataAugmentor.Settings(
        cacheSize,
        table.duration("cacheTTL", Duration.ofHours(1)),
        table.texts("allowedLabels"),
        label.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new MetadataAugmentor.Label(
                    label.substring(0, equals), label.substring(equals + 1))));
  }

  /** Empty if the file is missing or says that it is not enabled. */
  public static Optional<List<OverrideTransformer.Rule>> overrides(Path file) {
    Table table = Table.read(file);
    if (!table.json().path("enabled").asBoolean(false)) {
      return Optional.empty();
    }
    List<OverrideTransformer.Rule> rules = new ArrayList<>();
    for (JsonNode rule : table.json().path("rules")) {
      rules.add(rule(new Table(file, rule), rules.size()));
    }
    if (rules.isEmpty()) {
      throw table.wrong("enabled = true needs at least one entry in [[rules]]");
    }
    return Optional.of(rules);
  }

  private static OverrideTransformer.Rule rule(Table rule, int index) {
    String name = rule.text("name");
    if (name.isEmpty()) {
      throw rule.wrong("rule %d of [[rules]] has no name".formatted(index + 1));
    }
    if (rule.text("when").isEmpty()) {
      throw rule.wrong("rule \"%s\" has no when".formatted(name));
    }
    JsonNode override = rule.json().path("override");
    Set<String> known = Set.of("isFatal", "isHealthy", "recommendedAction");
    if (!override.isObject() || override.isEmpty()) {
      throw rule.wrong("rule \"%s\" has no override".formatted(name));
    }
    for (String key : (Iterable<String>) override::fieldNames) {
      if (!known.contains(key)) {
        throw rule.wrong(
            "rule \"%s\": override has no \"%s\"; it has %s"
                .formatted(name, key, String.join(", ", new TreeSet<>(known))));
      }
    }
    return new OverrideTransformer.Rule(
        name,
        rule.text("when"),
        flag(override, "isFatal"),
        flag(override, "isHealthy"),
        action(rule, name, override));
  }

  private static Optional<Boolean> flag(JsonNode override, String key) {
    return override.has(key) ? Optional.of(override.path(key).asBoolean()) : Optional.empty();
  }

  private static Optional<RecommendedAction> action(Table rule, String name, JsonNode override) {
    if (!override.has("recommendedAction")) {
      return Optional.empty();
    }
    String word = override.path("recommendedAction").asText();
    return Optional.of(
        RecommendedAction.find(word)
            .filter(action -> RecommendedAction.names().contains(word))
            .orElseThrow(
                () ->
                    rule.wrong(
                        "rule \"%s\": there is no recommendedAction \"%s\"; use one of %s"
                            .formatted(name, word, String.join(", ", RecommendedAction.names())))));
  }

  /** Keys of one table of a file. */
  private record Table(Path file, JsonNode json) {
    static Table read(Path file) {
      if (!Files.exists(file)) {
        return new Table(file, Json.object());
      }
      try {
        return new Table(file, TOML.readTree(Files.readString(file)));
      } catch (JsonProcessingException wrong) {
        throw new IllegalArgumentException(
            "%s, line %d: %s"
                .formatted(
                    file,
                    wrong.getLocation() == null ? 0 : wrong.getLocation().getLineNr(),
                    String.valueOf(wrong.getOriginalMessage())),
            wrong);
      } catch (IOException unreadable) {
        throw new IllegalArgumentException(
            "cannot read %s: %s".formatted(file, unreadable.getMessage()), unreadable);
      }
    }

    String text(String key) {
      return json.path(key).asText("");
    }

    List<String> texts(String key) {
      JsonNode list = json.path(key);
      if (!list.isMissingNode() && !list.isArray()) {
        throw wrong(key + " should be a list of texts");
      }
      return list.valueStream().map(JsonNode::asText).toList();
    }

    Duration duration(String key, Duration otherwise) {
      if (!json.has(key)) {
        return otherwise;
      }
      return GoDuration.find(text(key))
          .filter(Duration::isPositive)
          .orElseThrow(
              () ->
                  wrong(
                      "%s should be a duration greater than 0, such as 3m, not \"%s\""
                          .formatted(key, text(key))));
    }

    IllegalArgumentException wrong(String what) {
      return new IllegalArgumentException(file + ": " + what);
    }
  }
}
