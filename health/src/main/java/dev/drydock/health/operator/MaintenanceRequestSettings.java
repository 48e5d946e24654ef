package dev.drydock.health.operator;

import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.health.request.MaintenanceRequestOptions;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import dev.drydock.serve.feature.Settings;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Settings of the part maintenance-request. */
public final class MaintenanceRequestSettings {
  public static final Setting<Boolean> PUBLISH_EVENTS =
      Setting.of(
          "maintenanceRequests.publishEvents",
          SettingKind.SWITCH,
          "true",
          "Whether the events of MaintenanceRequests are put into the event store; false where there is none.");

  public static final Setting<String> NAMESPACE =
      Setting.of(
          "maintenanceRequests.namespace",
          SettingKind.NAME,
          CampaignNames.DEFAULT_NAMESPACE,
          "The namespace of the NotifyMaintenances that are made for MaintenanceRequests.");

  public static final Setting<Optional<String>> MAINTENANCE_CLASS =
      Setting.of(
          "maintenanceRequests.maintenanceClass",
          RemediationSettings.optionalName(),
          "",
          "The MaintenanceClass of these NotifyMaintenances. Default: none, other operators do the work.");

  public static final List<Setting<?>> ALL =
      Stream.concat(
              HealthSettings.STORE.stream(),
              Stream.of(PUBLISH_EVENTS, NAMESPACE, MAINTENANCE_CLASS))
          .toList();

  private MaintenanceRequestSettings() {}

  static MaintenanceRequestOptions options(Settings settings) {
    return new MaintenanceRequestOptions(settings.get(NAMESPACE), settings.get(MAINTENANCE_CLASS));
  }
}
