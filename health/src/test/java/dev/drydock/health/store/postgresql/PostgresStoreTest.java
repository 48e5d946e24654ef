package dev.drydock.health.store.postgresql;

import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventStoreContract;
import dev.drydock.kube.time.TimeSource;

/** The contract on a real PostgreSQL. */
class PostgresStoreTest extends EventStoreContract {
  private final String database = PostgresServer.shared().newDatabase();

  @Override
  protected EventStore open() {
    return PostgresStore.open(PostgresServer.shared().config(database), TimeSource.REAL);
  }
}
