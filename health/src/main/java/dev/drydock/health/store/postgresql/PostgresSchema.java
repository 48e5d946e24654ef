package dev.drydock.health.store.postgresql;

import dev.drydock.contracts.FirstLine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables: made or completed where the user may, and checked before anything is stored. */
final class PostgresSchema {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSchema.class);

  /** Without it an event could be stored twice. */
  static final String INDEX = "healthevent_idempotency_key_unique";

  private static final String MISSING =
      """
      select 'table ' || name from unnest(array['health_events', 'datastore_changelog', 'resume_tokens']) name
        where to_regclass(name) is null
      union all
      select 'columns of 2026 in table health_events' where to_regclass('health_events') is not null
        and (select count(*) from pg_attribute where attrelid = to_regclass('health_events') and not attisdropped
          and attname in ('quarantine_finish_timestamp', 'drain_finish_timestamp')) < 2
      union all
      select 'trigger health_events_changes' where to_regclass('health_events') is not null
        and not exists (select from pg_trigger where tgrelid = to_regclass('health_events')
          and tgname = 'health_events_changes' and tgenabled <> 'D')
      union all
      select 'a valid unique index %1$s' where to_regclass('health_events') is not null
        and not exists (select from pg_index where indexrelid = to_regclass('%1$s')
          and indrelid = to_regclass('health_events') and indisunique and indisvalid)
      """
          .formatted(INDEX);

  private PostgresSchema() {}

  /**
   * Makes what is missing. A user without the right to do so may use tables that somebody else has
   * made completely.
   */
  static void prepare(PostgresConnections connections) throws SQLException {
    try (Connection connection = connections.open()) {
      List<String> missing = missing(connection);
      try {
        migrate(connections);
      } catch (FlywayException failed) {
        if (!missing.isEmpty() || !isDenied(failed)) {
          throw sqlException(failed, missing);
        }
        LOG.info("the event store's tables are used as they are; this user may not change them");
      }
      check(connection);
    }
  }

  /** Checks that everything is there, and makes nothing. */
  static void checkExisting(PostgresConnections connections) throws SQLException {
    try (Connection connection = connections.open()) {
      check(connection);
    }
  }

  private static void migrate(PostgresConnections connections) throws SQLException {
    var _ =
        Flyway.configure(PostgresSchema.class.getClassLoader())
            .dataSource(connections.source())
            .locations("classpath:dev/drydock/health/store/postgresql")
            .loggers("slf4j")
            .table("drydock_schema_history")
            // where the original's tables are, ours are added
            .baselineOnMigrate(true)
            .baselineVersion("0")
            .baselineDescription("before Drydock")
            .load()
            .migrate();
  }

  private static boolean isDenied(FlywayException failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && "42501".equals(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }

  private static SQLException sqlException(FlywayException failed, List<String> missing) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return new SQLException(
            "%s%s"
                .formatted(
                    FirstLine.of(sql),
                    missing.isEmpty() ? "" : "; missing: " + String.join(", ", missing)),
            sql.getSQLState(),
            sql);
      }
    }
    return new SQLException("cannot prepare the tables: " + failed.getMessage(), failed);
  }

  private static List<String> missing(Connection connection) throws SQLException {
    List<String> missing = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(MISSING)) {
      while (row.next()) {
        missing.add(row.getString(1));
      }
    }
    return missing;
  }

  /**
   * Whether events can be stored.
   *
   * @throws SQLException if something is missing
   */
  static void check(Connection connection) throws SQLException {
    List<String> missing = missing(connection);
    if (!missing.isEmpty()) {
      throw new SQLException(
          "the database lacks %s: docs/health.md says how to make it"
              .formatted(String.join(", ", missing)),
          "HV000");
    }
  }
}
