package dev.drydock.health.operator;

import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.feature.Settings;
import java.util.Locale;
import java.util.Map;

/** Opens the store that the settings or the original's variables choose. */
public final class EventStores {
  private EventStores() {}

  /** The store cannot be opened as it is configured. */
  static final class Misconfigured extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    Misconfigured(String line) {
      super(line);
    }
  }

  /** The store that is meant. */
  public static HealthSettings.StoreKind kind(
      HealthSettings.StoreKind set, Map<String, String> environment) {
    if (set != HealthSettings.StoreKind.AUTO) {
      return set;
    }
    String provider =
        environment.getOrDefault("DATASTORE_PROVIDER", "").strip().toLowerCase(Locale.ROOT);
    return switch (provider) {
      case "" ->
          environment.getOrDefault("MONGODB_URI", "").isBlank()
              ? HealthSettings.StoreKind.EMBEDDED
              : HealthSettings.StoreKind.MONGODB;
      case "mongodb" -> HealthSettings.StoreKind.MONGODB;
      case "postgresql", "postgres" -> HealthSettings.StoreKind.POSTGRESQL;
      default ->
          throw new Misconfigured(
              "$DATASTORE_PROVIDER is \"%s\"; it should be mongodb or postgresql"
                  .formatted(provider));
    };
  }

  /**
   * Opens it.
   *
   * @throws ExpectedFailure if that does not work at present
   */
  public static EventStore open(
      Settings settings, Map<String, String> environment, TimeSource time) {
    return switch (kind(settings.get(HealthSettings.STORE_KIND), environment)) {
      case AUTO, EMBEDDED ->
          EmbeddedStore.open(
              settings
                  .get(HealthSettings.STORE_FOLDER)
                  .orElseThrow(
                      () -> new Misconfigured("eventStore.folder is needed: name a folder")),
              time);
      case POSTGRESQL, MONGODB ->
          throw new Misconfigured("this build has the embedded event store only");
    };
  }
}
