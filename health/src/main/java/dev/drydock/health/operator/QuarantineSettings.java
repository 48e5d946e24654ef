package dev.drydock.health.operator;

import dev.drydock.health.quarantine.QuarantineOptions;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import dev.drydock.serve.feature.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Settings of the part fault-quarantine in the operator, besides those of the event store. */
public final class QuarantineSettings {
  /** {@code key=value}. */
  public record NodeLabel(String key, String value) {}

  /** The nodes that circuit breakers count, unless others are named. */
  public static final NodeLabel GPU_NODES = new NodeLabel("nvidia.com/gpu.present", "true");

  public static final Setting<Optional<Path>> RULES =
      Setting.of(
          "quarantine.rules",
          SettingKind.FILE,
          "",
          "The rules by which nodes are quarantined, in TOML. Default: the rules that come with Drydock.");

  public static final Setting<Boolean> DRY_RUN =
      Setting.of(
          "quarantine.dryRun",
          SettingKind.SWITCH,
          "false",
          "Only log and count what would be done to nodes.");

  public static final Setting<Boolean> BREAKER_ENABLED =
      Setting.of(
          "quarantine.breakerEnabled",
          SettingKind.SWITCH,
          "true",
          "Whether circuit breakers limit how many nodes are quarantined.");

  public static final Setting<NodeLabel> GPU_NODE_LABEL =
      Setting.of(
          "quarantine.gpuNodeLabel",
          SettingKind.text(
              "KEY=VALUE",
              (text, problems) -> {
                String[] parts = text.split("=", 2);
                if (parts.length != 2 || parts[0].isBlank()) {
                  problems.wanted(text, "a label such as nvidia.com/gpu.present=true");
                  return GPU_NODES;
                }
                return new NodeLabel(parts[0], parts[1]);
              }),
          "nvidia.com/gpu.present=true",
          "The label of the nodes that circuit breakers count; if no node has it, all nodes count.");

  public static final Setting<Boolean> METRICS_PER_NODE =
      Setting.of(
          "quarantine.metricsPerNode",
          SettingKind.SWITCH,
          "true",
          "Whether metrics of quarantines have a series for each node.");

  public static final List<Setting<?>> ALL =
      List.of(RULES, DRY_RUN, BREAKER_ENABLED, GPU_NODE_LABEL, METRICS_PER_NODE);

  private QuarantineSettings() {}

  static QuarantineOptions options(Settings settings, String namespace) {
    NodeLabel label = settings.get(GPU_NODE_LABEL);
    return new QuarantineOptions(namespace, settings.get(DRY_RUN), label.key(), label.value());
  }
}
