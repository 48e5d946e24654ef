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

/** Settings of the part health in the operator. */
public final class HealthSettings {
  /** Which store. */
  public enum StoreKind {
    /** As the variables of the original say; without them the embedded one. */
    AUTO,
    EMBEDDED,
    POSTGRESQL,
    MONGODB
  }

  public static final Setting<StoreKind> STORE_KIND =
      Setting.of(
          "eventStore.kind",
          SettingKind.word(StoreKind.AUTO),
          "auto",
          "Where health events are stored. auto: as $DATASTORE_PROVIDER or $MONGODB_URI say, else embedded.");

  public static final Setting<Optional<Path>> STORE_FOLDER =
      Setting.of(
          "eventStore.folder",
          SettingKind.FOLDER,
          "/var/lib/drydock/health",
          "The folder of the embedded event store.");

  public static final Setting<Duration> STORE_TTL =
      Setting.of(
          "eventStore.ttl", SettingKind.DURATION, "720h", "How long health events are kept.");

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
          "Take health events without TLS and from anybody, for development.");

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
          "The only other ServiceAccounts that may call the ingest; empty for all.");

  public static final List<Setting<?>> ALL =
      List.of(
          STORE_KIND,
          STORE_FOLDER,
          STORE_TTL,
          INGEST_ADDRESS,
          INGEST_TLS_FOLDER,
          INGEST_INSECURE,
          INGEST_AUDIENCE,
          INGEST_CONNECTORS,
          INGEST_PUBLISHERS);

  private HealthSettings() {}

  private static Set<String> accounts(JsonNode list, SettingProblems problems) {
    Set<String> accounts = new LinkedHashSet<>();
    for (JsonNode each : list) {
      if (!each.asText().matches("system:serviceaccount:[a-z0-9-]+:[a-z0-9.-]+")) {
        problems.wanted(each.asText(), "system:serviceaccount:NAMESPACE:NAME");
      }
      accounts.add(each.asText());
    }
    return accounts;
  }
}
