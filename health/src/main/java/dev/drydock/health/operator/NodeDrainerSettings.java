package dev.drydock.health.operator;

import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings of the part node-drainer in the operator. */
public final class NodeDrainerSettings {
  public static final Setting<Optional<Path>> CONFIG =
      Setting.of(
              "nodeDrainer.config",
              SettingKind.FILE,
              "",
              "How nodes are drained because of health events, in TOML. Default: pods of all namespaces may complete.")
          .alsoFlag("--config-path"); // as the original's node drainer has

  public static final Setting<Boolean> DRY_RUN =
      Setting.of(
              "nodeDrainer.dryRun",
              SettingKind.SWITCH,
              "false",
              "Only log which nodes would be drained because of health events. Other parts act as always.")
          .alsoFlag("--dry-run");

  public static final Setting<Boolean> METRICS_PER_NODE =
      Setting.of(
          "nodeDrainer.metricsPerNode",
          SettingKind.SWITCH,
          "true",
          "Whether metrics of drains because of health events have a series for each node.");

  public static final Setting<Duration> REQUEUE_BACKOFF_BASE =
      Setting.of(
              "nodeDrainer.requeueBackoffBase",
              SettingKind.DURATION,
              "10s",
              "Accepted for compatibility; drains go on as soon as something changes.")
          .alsoFlag("--requeue-backoff-base");

  public static final List<Setting<?>> ALL =
      List.of(CONFIG, DRY_RUN, METRICS_PER_NODE, REQUEUE_BACKOFF_BASE);

  private NodeDrainerSettings() {}
}
