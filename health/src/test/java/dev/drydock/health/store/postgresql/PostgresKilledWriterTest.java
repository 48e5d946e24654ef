package dev.drydock.health.store.postgresql;

import dev.drydock.health.operator.HealthSettings.StoreKind;
import dev.drydock.health.store.KilledWriterContract;
import java.util.Map;

class PostgresKilledWriterTest extends KilledWriterContract {
  private final String database = PostgresServer.shared().newDatabase();

  @Override
  protected StoreKind kind() {
    return StoreKind.POSTGRESQL;
  }

  @Override
  protected Map<String, String> environment() {
    return Map.of(
        "DATASTORE_HOST",
        "127.0.0.1",
        "DATASTORE_PORT",
        Integer.toString(PostgresServer.shared().port()),
        "DATASTORE_DATABASE",
        database,
        "DATASTORE_USERNAME",
        PostgresServer.ADMINISTRATOR,
        "DATASTORE_SSLMODE",
        "disable");
  }
}
