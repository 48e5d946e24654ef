package dev.drydock.serve.feature;

import dev.drydock.contracts.cxi.CxiNames;
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

  /** The Lease of an operator; the names of others begin with it. */
  public static final String LEASE = "drydock-operator";

  public static final Setting<String> LEADER_ELECT_LEASE =
      Setting.of(
          "leaderElectLease",
          SettingKind.text(
              "NAME",
              (text, problems) -> {
                boolean own = text.matches(LEASE + "(-[a-z0-9]([-a-z0-9]{0,200}[a-z0-9])?)?");
                if (!own && !text.equals(CxiNames.OPERATOR_LEASE)) {
                  problems.wanted(
                      text,
                      "%1$s, %2$s, or a name that begins with %1$s-"
                          .formatted(LEASE, CxiNames.OPERATOR_LEASE));
                }
                return text;
              }),
          LEASE,
          "The Lease of leader election. Deployments in one namespace that run different parts need one each, drydock-operator- and a name. bf7f9b28.hpe.com is that of the original operator of CXI drivers.");

  public static final Setting<Duration> LEADER_ELECT_LEASE_DURATION =
      Setting.of(
          "leaderElectLeaseDuration",
          SettingKind.durationOfAtLeast(Duration.ofSeconds(3)),
          "15s",
          "How long after the last renewal of the Lease another instance may take it over.");

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
              "Serve TLS with tls.crt and tls.key from this folder; changes are picked up. Default: the operator issues its own certificates.")
          .alsoFlag("--webhook-cert-path"); // as the original operator of CXI drivers has

  public static final Setting<Boolean> METRICS_ENABLED =
      Setting.of("metrics.enabled", SettingKind.SWITCH, "true", "Serve /metrics.");

  public static final Setting<Integer> METRICS_PORT =
      Setting.of(
          "metrics.port", SettingKind.PORT, "8383", "The port of /metrics; 0 for any free port.");

  public static final Setting<Boolean> METRICS_TLS =
      Setting.of("metrics.tls", SettingKind.SWITCH, "true", "Serve /metrics over HTTPS (TLS 1.3).")
          .alsoFlag("--metrics-secure"); // as the original operator of CXI drivers has

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

  public static final Setting<String> WEBHOOK_SERVICE =
      Setting.of(
          "webhook.service",
          SettingKind.NAME,
          "drydock-operator",
          "The Service in the operator's namespace through which API servers reach the webhooks; its"
              + " certificates are issued for it.");

  public static final List<Setting<?>> ALL =
      List.of(
          LEADER_ELECT,
          LEADER_ELECT_LEASE,
          LEADER_ELECT_LEASE_DURATION,
          SYNC_PERIOD,
          CERT_DIR,
          METRICS_ENABLED,
          METRICS_PORT,
          METRICS_TLS,
          HEALTH_BIND_ADDRESS,
          WEBHOOK_ENABLED,
          WEBHOOK_PORT,
          WEBHOOK_CLIENT_CA,
          WEBHOOK_CERT_SECRET,
          WEBHOOK_SERVICE);

  private CoreSettings() {}
}
