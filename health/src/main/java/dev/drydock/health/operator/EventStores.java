package dev.drydock.health.operator;

import dev.drydock.health.connector.Forwarder;
import dev.drydock.health.store.DatastoreVariables;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreMisconfigured;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.health.store.mongodb.MongoConfig;
import dev.drydock.health.store.mongodb.MongoStore;
import dev.drydock.health.store.postgresql.PostgresConfig;
import dev.drydock.health.store.postgresql.PostgresStore;
import dev.drydock.health.store.served.ServedStore;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.feature.Settings;
import dev.drydock.serve.socket.TcpChannels;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Opens the store that the settings or the original's variables choose. */
public final class EventStores {
  private EventStores() {}

  /**
   * The store that is meant.
   *
   * @throws StoreMisconfigured if the variables name one that there is not
   */
  public static HealthSettings.StoreKind kind(
      HealthSettings.StoreKind set, Map<String, String> environment) {
    if (set != HealthSettings.StoreKind.AUTO) {
      return set;
    }
    DatastoreVariables variables = DatastoreVariables.of(environment);
    String provider = variables.get("DATASTORE_PROVIDER", "").toLowerCase(Locale.ROOT);
    return switch (provider) {
      case "" ->
          variables.find("MONGODB_URI").isEmpty()
              ? HealthSettings.StoreKind.EMBEDDED
              : HealthSettings.StoreKind.MONGODB;
      case "mongodb" -> HealthSettings.StoreKind.MONGODB;
      case "postgresql", "postgres" -> HealthSettings.StoreKind.POSTGRESQL;
      default ->
          throw new StoreMisconfigured(
              "$DATASTORE_PROVIDER is \"%s\"; it should be mongodb or postgresql"
                  .formatted(provider));
    };
  }

  /**
   * Opens the one that an operator is to use.
   *
   * @throws StoreMisconfigured if something must be set first
   * @throws StoreUnavailable if it does not work at present
   */
  public static EventStore open(
      Settings settings, Map<String, String> environment, TimeSource time) {
    HealthSettings.StoreKind kind = kind(settings.get(HealthSettings.STORE_KIND), environment);
    return kind == HealthSettings.StoreKind.SERVED
        ? ServedStore.open(target(settings), time)
        : open(kind, settings.get(HealthSettings.STORE_FOLDER), environment, time);
  }

  private static Forwarder.Target target(Settings settings) {
    String address = settings.get(HealthSettings.STORE_ADDRESS);
    return settings.get(HealthSettings.STORE_INSECURE)
        ? new Forwarder.Target(address, Optional.empty(), Optional.empty())
        : new Forwarder.Target(
            address,
            Optional.of(
                new TcpChannels.Tls(settings.get(HealthSettings.STORE_CA_FILE), Optional.empty())),
            settings.get(HealthSettings.STORE_TOKEN_FILE));
  }

  /**
   * Opens one that is not served by another process.
   *
   * @param folder of the embedded store
   * @param environment the original's variables, for the others
   */
  public static EventStore open(
      HealthSettings.StoreKind kind,
      Optional<Path> folder,
      Map<String, String> environment,
      TimeSource time) {
    return switch (kind) {
      case AUTO -> open(kind(kind, environment), folder, environment, time);
      case EMBEDDED ->
          EmbeddedStore.open(
              folder.orElseThrow(
                  () -> new StoreMisconfigured("eventStore.folder is needed: name a folder")),
              time);
      case POSTGRESQL ->
          PostgresStore.open(PostgresConfig.of(DatastoreVariables.of(environment)), time);
      case MONGODB -> MongoStore.open(MongoConfig.of(DatastoreVariables.of(environment)), time);
      case SERVED -> throw new IllegalArgumentException("a served store has an address");
    };
  }

  /**
   * Opens a database that an operator has used, for reading: it makes no tables and no indexes,
   * which in a wrong database would be a surprise.
   *
   * @param kind POSTGRESQL or MONGODB
   * @param environment the original's variables
   */
  public static EventStore openExisting(
      HealthSettings.StoreKind kind, Map<String, String> environment, TimeSource time) {
    DatastoreVariables variables = DatastoreVariables.of(environment);
    return kind == HealthSettings.StoreKind.MONGODB
        ? MongoStore.openExisting(MongoConfig.of(variables), time)
        : PostgresStore.openExisting(PostgresConfig.of(variables), time);
  }
}
