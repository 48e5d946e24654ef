package dev.drydock.app.operator;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Every setting of the operator. Its place in the file gives the names of its flag and of its
 * variable: {@code metrics.port} is also {@code --metrics-port} and {@code DRYDOCK_METRICS_PORT}.
 */
enum ConfigKey {
  SLA_PERIOD(
      "slaPeriod",
      Kind.TIME,
      "5h",
      "How long a started maintenance may drain before what remains may be removed by force."
          + " A file must say it."),
  UNCORDON_DURING_MAINTENANCE(
      "uncordonDuringMaintenance",
      Kind.UNCORDON,
      "complete",
      "What an uncordon by hand means for the maintenances of the node:"
          + " complete ends them, recordon cordons it again."),
  LEADER_ELECT(
      "leaderElect",
      Kind.SWITCH,
      "true",
      "Work only while holding the Lease drydock-operator in the namespace."),
  SYNC_PERIOD(
      "syncPeriod",
      Kind.TIME,
      "10h",
      "How often everything is looked at again although nothing has changed."),
  BUDGETS(
      "budgets",
      Kind.BUDGETS,
      "[]",
      "How many nodes may be out of service at once, whatever campaigns and classes allow;"
          + " see below."),
  LIFECYCLE_UNCLAIMED_AFTER(
      "lifecycle.unclaimedAfter",
      Kind.TIME,
      "5m",
      "How long a LifecycleEvent may wait to be claimed; then it has failed, and says why."),
  CERT_DIR(
      "certDir",
      Kind.FOLDER,
      "",
      "Serve with tls.crt and tls.key of this folder, read again when they change."
          + " Without it the operator makes its own certificates."),
  NOTIFICATIONS_CHANNELS(
      "notifications.channels",
      Kind.CHANNELS,
      "[]",
      "Where notices go besides the topics that maintenances name; see below."),
  NOTIFICATIONS_RETENTION(
      "notifications.retention",
      Kind.TIME,
      "24h",
      "How long it is tried to deliver a notice; then it is dropped."),
  METRICS_PORT("metrics.port", Kind.PORT, "8383", "Where /metrics is served; 0 is any free port."),
  METRICS_TLS("metrics.tls", Kind.SWITCH, "true", "Serve /metrics by HTTPS, TLS 1.3 or later."),
  METRICS_PER_OBJECT(
      "metrics.perObject",
      Kind.SWITCH,
      "false",
      "Metrics name each maintenance, node and owner: as many series as there are objects."),
  HEALTH_BIND_ADDRESS(
      "health.bindAddress",
      Kind.ADDRESS,
      ":8081",
      "Where /healthz and /readyz are served, by plain HTTP."),
  WEBHOOK_ENABLED(
      "webhook.enabled",
      Kind.SWITCH,
      "true",
      "Answer the API server's questions about new NotifyMaintenances."),
  WEBHOOK_PORT("webhook.port", Kind.PORT, "9443", "Where they are answered; 0 is any free port."),
  WEBHOOK_CERT_SECRET(
      "webhook.certSecret",
      Kind.NAME,
      "pika-server-cert",
      "The Secret in the operator's namespace that keeps its certificates.");

  /** How a value is written. */
  enum Kind {
    TIME("DURATION"),
    SWITCH("true|false"),
    UNCORDON("complete|recordon"),
    PORT("PORT"),
    ADDRESS("[HOST]:PORT"),
    FOLDER("FOLDER"),
    NAME("NAME"),
    CHANNELS("YAML"),
    BUDGETS("YAML");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Stands for the value in the help. */
    String label() {
      return label;
    }

    boolean isList() {
      return this == CHANNELS || this == BUDGETS;
    }

    /** All that a value can be, for kinds that are given by words. */
    List<String> words() {
      return List.of(label.split("\\|", -1));
    }
  }

  /** What the flag of another operator for the same objects is called. */
  private static final String OTHER_HEALTH_FLAG = "--health-probe-bind-address";

  private final String path;
  private final Kind kind;
  private final String otherwise;
  private final String meaning;

  ConfigKey(String path, Kind kind, String otherwise, String meaning) {
    this.path = path;
    this.kind = kind;
    this.otherwise = otherwise;
    this.meaning = meaning;
  }

  static Optional<ConfigKey> at(String path) {
    return Arrays.stream(values()).filter(key -> key.path.equals(path)).findFirst();
  }

  /** In the file, with dots between the levels. */
  String path() {
    return path;
  }

  Kind kind() {
    return kind;
  }

  /** The default, written as in the file. */
  String otherwise() {
    return otherwise;
  }

  String meaning() {
    return meaning;
  }

  String flag() {
    String words = path.replace('.', '-').replaceAll("([A-Z])", "-$1");
    return "--" + words.toLowerCase(Locale.ROOT);
  }

  List<String> flags() {
    return this == HEALTH_BIND_ADDRESS ? List.of(flag(), OTHER_HEALTH_FLAG) : List.of(flag());
  }

  String variable() {
    return "DRYDOCK_" + flag().substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
