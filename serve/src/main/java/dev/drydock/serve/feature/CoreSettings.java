package dev.drydock.serve.feature;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings that an operator has whatever features are on. */
public final class CoreSettings {
  public static final Setting<Boolean> LEADER_ELECT =
      Setting.of(
          "leaderElect",
          SettingKind.SWITCH,
          "true",
          "Use leader election with the Lease drydock-operator in the operator's namespace.");

  public static final Setting<Duration> SYNC_PERIOD =
      Setting.of(
          "syncPeriod",
          SettingKind.DURATION,
          "10h",
          "How often all objects are reconciled even if nothing has changed.");

  public static final Setting<Optional<Path>> CERT_DIR =
      Setting.of(
          "certDir",
          SettingKind.FOLDER,
          "",
          "Serve TLS with tls.crt and tls.key from this folder; changes are picked up. Default: the operator issues its own certificates.");

  public static final Setting<Integer> METRICS_PORT =
      Setting.of(
          "metrics.port", SettingKind.PORT, "8383", "The port of /metrics; 0 for any free port.");

  public static final Setting<Boolean> METRICS_TLS =
      Setting.of("metrics.tls", SettingKind.SWITCH, "true", "Serve /metrics over HTTPS (TLS 1.3).");

  public static final Setting<Boolean> METRICS_PER_OBJECT =
      Setting.of(
          "metrics.perObject",
          SettingKind.SWITCH,
          "true",
          "Metrics have labels for each maintenance, node and owner, as dashboards expect; false for few series.");

  public static final Setting<InetSocketAddress> HEALTH_BIND_ADDRESS =
      Setting.of(
              "health.bindAddress",
              SettingKind.ADDRESS,
              ":8081",
              "The address of /healthz and /readyz (plain HTTP).")
          .alsoFlag("--health-probe-bind-address"); // as another operator for the same objects has

  public static final Setting<Boolean> WEBHOOK_ENABLED =
      Setting.of("webhook.enabled", SettingKind.SWITCH, "true", "Serve the admission webhooks.");

  public static final Setting<Integer> WEBHOOK_PORT =
      Setting.of(
          "webhook.port",
          SettingKind.PORT,
          "9443",
          "The port of the admission webhooks; 0 for any free port.");

  public static final Setting<Optional<Path>> WEBHOOK_CLIENT_CA =
      Setting.of(
          "webhook.clientCa",
          SettingKind.FILE,
          "",
          "Answer only clients with a certificate of an authority in this PEM file, such as API"
              + " servers that were told to show one. Without it anybody who reaches the port is"
              + " answered.");

  public static final Setting<String> WEBHOOK_CERT_SECRET =
      Setting.of(
          "webhook.certSecret",
          SettingKind.NAME,
          "pika-server-cert",
          "The Secret with the operator's certificates, in its namespace.");

  public static final List<Setting<?>> ALL =
      List.of(
          LEADER_ELECT,
          SYNC_PERIOD,
          CERT_DIR,
          METRICS_PORT,
          METRICS_TLS,
          METRICS_PER_OBJECT,
          HEALTH_BIND_ADDRESS,
          WEBHOOK_ENABLED,
          WEBHOOK_PORT,
          WEBHOOK_CLIENT_CA,
          WEBHOOK_CERT_SECRET);

  private CoreSettings() {}
}
