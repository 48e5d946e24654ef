package dev.drydock.health.transform;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.config.TomlTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The transformers' own files, in TOML. A file that is missing has the defaults. */
public final class TransformerFiles {
  private TransformerFiles() {}

  /**
   * Reads the Deduplicator's file.
   *
   * @throws ConfigFileInvalid if it cannot be used
   */
  public static Deduplicator.Settings deduplicator(Path file) {
    TomlTable table = TomlTable.readIfExists(file);
    return new Deduplicator.Settings(
        table.duration("suppressionWindow", Duration.ofMinutes(3)),
        table.duration("cleanupInterval", Duration.ofSeconds(60)),
        new TreeSet<>(table.texts("includeChecks")));
  }

  public static MetadataAugmentor.Settings metadata(Path file) {
    TomlTable table = TomlTable.readIfExists(file);
    String label = table.text("skipNodeLabel");
    int equals = label.indexOf('=');
    if (!label.isEmpty() && equals < 1) {
      throw table.invalid("skipNodeLabel should be key=value, not \"" + label + "\"");
    }
    return new MetadataAugmentor.Settings(
        table.number("cacheSize", 50, 1, Integer.MAX_VALUE),
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
    TomlTable table = TomlTable.readIfExists(file);
    if (!table.json().path("enabled").asBoolean(false)) {
      return Optional.empty();
    }
    List<OverrideTransformer.Rule> rules = new ArrayList<>();
    for (JsonNode rule : table.json().path("rules")) {
      rules.add(rule(table.of(rule, ""), rules.size()));
    }
    if (rules.isEmpty()) {
      throw table.invalid("enabled = true needs at least one entry in [[rules]]");
    }
    return Optional.of(rules);
  }

  private static OverrideTransformer.Rule rule(TomlTable rule, int index) {
    String name = rule.text("name");
    if (name.isEmpty()) {
      throw rule.invalid("rule %d of [[rules]] has no name".formatted(index + 1));
    }
    if (rule.text("when").isEmpty()) {
      throw rule.invalid("rule \"%s\" has no when".formatted(name));
    }
    JsonNode override = rule.json().path("override");
    Set<String> known = Set.of("isFatal", "isHealthy", "recommendedAction");
    if (!override.isObject() || override.isEmpty()) {
      throw rule.invalid("rule \"%s\" has no override".formatted(name));
    }
    for (String key : (Iterable<String>) override::fieldNames) {
      if (!known.contains(key)) {
        throw rule.invalid(
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

  private static Optional<RecommendedAction> action(
      TomlTable rule, String name, JsonNode override) {
    if (!override.has("recommendedAction")) {
      return Optional.empty();
    }
    String word = override.path("recommendedAction").asText();
    return Optional.of(
        RecommendedAction.find(word)
            .filter(action -> RecommendedAction.names().contains(word))
            .orElseThrow(
                () ->
                    rule.invalid(
                        "rule \"%s\": there is no recommendedAction \"%s\"; use one of %s"
                            .formatted(name, word, String.join(", ", RecommendedAction.names())))));
  }
}
