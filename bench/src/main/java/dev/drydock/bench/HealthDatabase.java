package dev.drydock.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A real PostgreSQL with its own settings, for as long as a benchmark runs. */
final class HealthDatabase implements HealthStorage {
  private static final String DATABASE = "postgres";

  private final EmbeddedPostgres server;

  private HealthDatabase(EmbeddedPostgres server) {
    this.server = server;
  }

  static HealthDatabase start() {
    try {
      return new HealthDatabase(EmbeddedPostgres.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<String> flags() {
    return List.of("--event-store-kind=postgresql");
  }

  @Override
  public Map<String, String> environment() {
    return Map.of(
        "DATASTORE_HOST",
        "127.0.0.1",
        "DATASTORE_PORT",
        Integer.toString(server.getPort()),
        "DATASTORE_DATABASE",
        DATABASE,
        "DATASTORE_USERNAME",
        DATABASE,
        "DATASTORE_SSLMODE",
        "disable");
  }

  @Override
  public boolean isMade() {
    return number("select count(*) from pg_tables where tablename = 'resume_tokens'") == 1;
  }

  @Override
  public long count() {
    return number("select count(*) from health_events");
  }

  @Override
  public OptionalLong connections() {
    return OptionalLong.of(
        number(
            "select count(*) from pg_stat_activity where backend_type = 'client backend'"
                + " and application_name = 'drydock'"));
  }

  private long number(String query) {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    } catch (SQLException e) {
      throw new BenchFailure("PostgreSQL does not answer: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
