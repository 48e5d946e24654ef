package dev.drydock.health.store.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.drydock.serve.tls.ClientTls;
import org.jspecify.annotations.Nullable;

/**
 * A server in memory that speaks MongoDB's protocol. It is not MongoDB: it knows no replica set, no
 * majority, no old tokens and no partial indexes. So the unique index is made here, as a sparse
 * one.
 */
public final class MongoTestServer {
  private static @Nullable MongoServer shared;
  private static int databases;

  private final String database;

  private MongoTestServer(String database) {
    this.database = database;
  }

  /** One server for all tests of a process, and a new database. */
  public static synchronized MongoTestServer newDatabase() {
    if (shared == null) {
      shared = new MongoServer(new MemoryBackend());
      shared.enableOplog();
      shared.bind();
      Runtime.getRuntime().addShutdownHook(new Thread(shared::shutdownNow));
    }
    databases++;
    MongoTestServer server = new MongoTestServer("events" + databases);
    try (MongoClient client = MongoClients.create(server.uri())) {
      var _ =
          client
              .getDatabase(server.database)
              .getCollection("HealthEvents")
              .createIndex(
                  Indexes.ascending("healthevent.metadata.idempotencyKey"),
                  new IndexOptions().name(MongoIndexes.UNIQUE).unique(true).sparse(true));
    }
    return server;
  }

  static int port() {
    MongoServer server = shared;
    if (server == null) {
      throw new IllegalStateException("not started");
    }
    return server.getLocalAddress().getPort();
  }

  String uri() {
    return "mongodb://127.0.0.1:%d/".formatted(port());
  }

  String database() {
    return database;
  }

  MongoConfig config() {
    return config(port());
  }

  MongoConfig config(int port) {
    return new MongoConfig(
        new ConnectionString("mongodb://127.0.0.1:%d/".formatted(port)),
        database,
        "HealthEvents",
        "ResumeTokens",
        ClientTls.DEFAULT,
        4);
  }
}
