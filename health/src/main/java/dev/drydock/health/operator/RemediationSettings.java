package dev.drydock.health.operator;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.health.remediation.DefaultMaintenance;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import dev.drydock.serve.feature.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Settings of the part fault-remediation. */
public final class RemediationSettings {
  public static final Setting<Optional<Path>> CONFIG =
      Setting.of(
          "remediation.config",
          SettingKind.FILE,
          "",
          "Which maintenance resources are made for which actions, in TOML. Default: a NotifyMaintenance for every action.");

  public static final Setting<String> NAMESPACE =
      Setting.of(
          "remediation.namespace",
          SettingKind.NAME,
          CampaignNames.DEFAULT_NAMESPACE,
          "The namespace of the NotifyMaintenances that are made for failures.");

  public static final Setting<Optional<String>> MAINTENANCE_CLASS =
      Setting.of(
          "remediation.maintenanceClass",
          optionalName(),
          "",
          "The MaintenanceClass of these NotifyMaintenances. Default: none, other operators do the work.");

  public static final Setting<Boolean> DRY_RUN =
      Setting.of(
          "remediation.dryRun",
          SettingKind.SWITCH,
          "false",
          "Only log what would be done about failures.");

  /** With those of the event store, which part ingest has, too. */
  public static final List<Setting<?>> ALL =
      Stream.concat(
              HealthSettings.STORE.stream(),
              Stream.of(CONFIG, NAMESPACE, MAINTENANCE_CLASS, DRY_RUN))
          .toList();

  private RemediationSettings() {}

  /** Absent if nothing is written. */
  static SettingKind<Optional<String>> optionalName() {
    return SettingKind.text(
        "NAME",
        (text, problems) ->
            text.isBlank()
                ? Optional.empty()
                : Optional.of(SettingKind.NAME.reader().apply(TextNode.valueOf(text), problems)));
  }

  static DefaultMaintenance maintenance(Settings settings) {
    return new DefaultMaintenance(settings.get(NAMESPACE), settings.get(MAINTENANCE_CLASS));
  }
}
