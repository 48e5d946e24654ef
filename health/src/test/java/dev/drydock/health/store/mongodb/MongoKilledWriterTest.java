package dev.drydock.health.store.mongodb;

import dev.drydock.health.operator.HealthSettings.StoreKind;
import dev.drydock.health.store.KilledWriterContract;
import java.util.Map;

class MongoKilledWriterTest extends KilledWriterContract {
  private final MongoTestServer server = MongoTestServer.newDatabase();

  @Override
  protected StoreKind kind() {
    return StoreKind.MONGODB;
  }

  @Override
  protected Map<String, String> environment() {
    return Map.of("MONGODB_URI", server.uri(), "MONGODB_DATABASE_NAME", server.database());
  }
}
