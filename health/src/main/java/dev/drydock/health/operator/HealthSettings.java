package dev.drydock.health.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.health.connector.ConnectorConfig;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import dev.drydock.serve.feature.SettingProblems;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Settings of the part ingest in the operator, and those of the event store. */
public final class HealthSettings {
  /** The kinds of event stores. */
  public enum StoreKind {
    /** Chosen by the variables of the original; without them the embedded one. */
    AUTO,
    EMBEDDED,
    POSTGRESQL,
    MONGODB,
    /** The embedded one of another process. */
    SERVED
  }

  public static final String DEFAULT_FOLDER = "/var/lib/drydock/health";

  public static final Setting<StoreKind> STORE_KIND =
      Setting.of(
          "eventStore.kind",
          SettingKind.word(StoreKind.AUTO),
          "auto",
          "Where health events are stored. auto: as $DATASTORE_PROVIDER or $MONGODB_URI say, else embedded. served: in the embedded store of part ingest, which runs elsewhere.");

  public static final Setting<Optional<Path>> STORE_FOLDER =
      Setting.of(
          "eventStore.folder",
          SettingKind.FOLDER,
          DEFAULT_FOLDER,
          "The folder of the embedded event store.");

  public static final Setting<Duration> STORE_TTL =
      Setting.of(
          "eventStore.ttl", SettingKind.DURATION, "720h", "How long health events are kept.");

  public static final Setting<String> STORE_ADDRESS =
      Setting.of(
          "eventStore.address",
          SettingKind.text("HOST:PORT", HealthSettings::target),
          "platform-connector-deployment.nvsentinel.svc:50051",
          "Where a served event store answers, which is where the central ingest listens.");

  public static final Setting<Optional<Path>> STORE_CA_FILE =
      Setting.of(
          "eventStore.caFile",
          SettingKind.FILE,
          "/etc/drydock/ingest-ca/ca.crt",
          "Certificates that the one of a served event store must come from.");

  public static final Setting<Optional<Path>> STORE_TOKEN_FILE =
      Setting.of(
          "eventStore.tokenFile",
          SettingKind.FILE,
          "/var/run/secrets/nvsentinel/platform-connector/token",
          "The token that is shown to a served event store, for the audience of the ingest; read for each call.");

  public static final Setting<Boolean> STORE_INSECURE =
      Setting.of(
          "eventStore.insecure",
          SettingKind.SWITCH,
          "false",
          "Use a served event store without TLS and without a token, for development.");

  public static final Setting<Set<String>> STORE_CLIENTS =
      Setting.of(
          "eventStore.clients",
          SettingKind.list(HealthSettings::accounts),
          "[system:serviceaccount:nvsentinel:fault-quarantine,"
              + "system:serviceaccount:nvsentinel:node-drainer,"
              + "system:serviceaccount:nvsentinel:fault-remediation]",
          "ServiceAccounts that may read and change the events of this operator's embedded store, as an event store of kind served.");

  /** All of a process that uses a store. */
  public static final List<Setting<?>> STORE =
      List.of(
          STORE_KIND,
          STORE_FOLDER,
          STORE_TTL,
          STORE_ADDRESS,
          STORE_CA_FILE,
          STORE_TOKEN_FILE,
          STORE_INSECURE);

  public static final Setting<InetSocketAddress> INGEST_ADDRESS =
      Setting.of(
          "eventIngest.address",
          SettingKind.ADDRESS,
          ":50051",
          "Where the central ingest takes health events by gRPC.");

  public static final Setting<Optional<Path>> INGEST_TLS_FOLDER =
      Setting.of(
          "eventIngest.tlsFolder",
          SettingKind.FOLDER,
          "/etc/drydock/ingest-tls",
          "The folder with tls.crt and tls.key of the central ingest; read again when they change.");

  public static final Setting<Boolean> INGEST_INSECURE =
      Setting.of(
          "eventIngest.insecure",
          SettingKind.SWITCH,
          "false",
          "Take health events without TLS and from anybody, and serve the event store likewise, for development.");

  public static final Setting<String> INGEST_AUDIENCE =
      Setting.of(
          "eventIngest.audience",
          SettingKind.NAME,
          ConnectorConfig.Auth.DEFAULT_AUDIENCE,
          "The audience of the tokens that callers of the ingest show.");

  public static final Setting<Set<String>> INGEST_CONNECTORS =
      Setting.of(
          "eventIngest.connectors",
          SettingKind.list(HealthSettings::accounts),
          "[system:serviceaccount:nvsentinel:drydock-connector]",
          "ServiceAccounts of connectors, which may send events about any node.");

  public static final Setting<Set<String>> INGEST_PUBLISHERS =
      Setting.of(
          "eventIngest.publishers",
          SettingKind.list(HealthSettings::accounts),
          "[]",
          "The only other ServiceAccounts that may call the ingest, about their own node.");

  public static final Setting<Optional<Path>> INGEST_CONFIG =
      Setting.of(
          "eventIngest.config",
          SettingKind.FILE,
          "",
          "The JSON file of a connector, whose transformers also apply to events that monitors send to the ingest directly. Default: none apply.");

  /** The port at which {@code drydock events} reads. */
  public static final int LOG_PORT = 50052;

  public static final Setting<InetSocketAddress> LOG_ADDRESS =
      Setting.of(
          "eventLog.address",
          SettingKind.ADDRESS,
          "127.0.0.1:" + LOG_PORT,
          "Where drydock events reads; a loopback address, because everybody may read there.");

  public static final Setting<Integer> MESSAGE_LENGTH =
      Setting.of(
          "nodeConditions.maxMessageLength",
          SettingKind.COUNT,
          "1024",
          "The longest message of a node condition, in bytes.");

  public static final Setting<Integer> COMPACTED_LENGTH =
      Setting.of(
          "nodeConditions.compactedMessageLength",
          SettingKind.COUNT,
          "72",
          "How much text of each failure is kept when a message is too long, in bytes.");

  public static final Setting<Optional<Path>> SLURM_DRAINS =
      Setting.of(
          "slurmDrainMonitor.config",
          SettingKind.FILE,
          "",
          "Which drains made in Slurm become health events, in TOML. Default: none do.");

  public static final List<Setting<?>> ALL =
      Stream.<Setting<?>>concat(
              STORE.stream(),
              Stream.of(
                  STORE_CLIENTS,
                  INGEST_ADDRESS,
                  INGEST_TLS_FOLDER,
                  INGEST_INSECURE,
                  INGEST_AUDIENCE,
                  INGEST_CONNECTORS,
                  INGEST_PUBLISHERS,
                  INGEST_CONFIG,
                  LOG_ADDRESS,
                  MESSAGE_LENGTH,
                  COMPACTED_LENGTH,
                  SLURM_DRAINS))
          .toList();

  private HealthSettings() {}

  private static String target(String text, SettingProblems problems) {
    if (!text.matches("\\S+:\\d{1,5}")) {
      problems.wanted(text, "HOST:PORT");
    }
    return text;
  }

  private static Set<String> accounts(JsonNode list, SettingProblems problems) {
    Set<String> accounts = new LinkedHashSet<>();
    for (JsonNode each : list) {
      if (!each.asText().matches(ConnectorConfig.Auth.ACCOUNT)) {
        problems.wanted(each.asText(), "system:serviceaccount:NAMESPACE:NAME");
      }
      accounts.add(each.asText());
    }
    return accounts;
  }
}
