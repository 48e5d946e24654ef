package dev.drydock.health.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.config.TomlTable;
import dev.drydock.health.slurm.decide.DrainPattern;
import dev.drydock.health.slurm.decide.DrainPatterns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The configuration of the Slurm drain monitor, in the TOML that slurm-drain-monitor takes.
 *
 * @param namespace of the pods that are Slurm's workers
 * @param labelSelector of these pods
 * @param resyncPeriod how often drained nodes are looked at although nothing changed
 */
public record SlurmDrainConfig(
    String namespace, String labelSelector, Duration resyncPeriod, DrainPatterns patterns) {
  /** Drains of health checks that Slurm itself runs, unless the file has patterns. */
  private static final List<DrainPattern> SHIPPED =
      List.of(
          new DrainPattern(
              "health-check",
              Pattern.compile("^\\[HC\\]"),
              "SlurmHealthCheck",
              "NODE",
              false,
              "",
              RecommendedAction.CONTACT_SUPPORT));

  /**
   * Reads a file.
   *
   * @throws ConfigFileInvalid if it cannot be used
   */
  public static SlurmDrainConfig read(Path file) {
    return config(TomlTable.read(file));
  }

  static SlurmDrainConfig parse(String text, String source) {
    return config(TomlTable.parse(text, source));
  }

  private static SlurmDrainConfig config(TomlTable root) {
    String selector =
        root.known(
                Set.of(
                    "namespace",
                    "labelSelector",
                    "reasonDelimiter",
                    "resyncPeriod",
                    "processingStrategy",
                    "maxConcurrentReconciles",
                    "patterns"))
            .text(
                "labelSelector",
                "app.kubernetes.io/name=slurmd,app.kubernetes.io/component=worker");
    try {
      var _ = LabelSelector.parse(selector);
    } catch (IllegalArgumentException wrong) {
      throw root.invalid("labelSelector: " + wrong.getMessage());
    }
    List<DrainPattern> patterns = new ArrayList<>();
    for (JsonNode each : root.json().path("patterns")) {
      patterns.add(pattern(root.of(each, "patterns[%d].".formatted(patterns.size()))));
    }
    return new SlurmDrainConfig(
        root.text("namespace", "slurm"),
        selector,
        root.duration("resyncPeriod", Duration.ofMinutes(5)),
        new DrainPatterns(
            root.json().has("patterns") ? patterns : SHIPPED,
            root.text("reasonDelimiter", "; "),
            root.word(
                "processingStrategy",
                "EXECUTE_REMEDIATION",
                ProcessingStrategy::find,
                ProcessingStrategy.names())));
  }

  private static DrainPattern pattern(TomlTable pattern) {
    var _ =
        pattern.known(
            Set.of(
                "name",
                "regex",
                "checkName",
                "componentClass",
                "isFatal",
                "message",
                "recommendedAction"));
    try {
      return new DrainPattern(
          pattern.text("name"),
          Pattern.compile(pattern.required("regex")),
          pattern.required("checkName"),
          pattern.text("componentClass", "NODE"),
          pattern.json().path("isFatal").asBoolean(false),
          pattern.text("message"),
          RecommendedAction.find(pattern.text("recommendedAction"))
              .orElse(RecommendedAction.CONTACT_SUPPORT));
    } catch (PatternSyntaxException wrong) {
      throw pattern.invalid("regex: " + wrong.getDescription());
    }
  }
}
