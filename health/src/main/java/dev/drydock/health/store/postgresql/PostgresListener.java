package dev.drydock.health.store.postgresql;

import dev.drydock.health.store.DatabaseRetries;
import dev.drydock.kube.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection that the database notifies of changes. While there is none, events are not
 * taken: only a new one shows that the tables are as they should be.
 */
final class PostgresListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresListener.class);

  /** Where notifications do not come through, as behind some poolers, changes are looked for. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

  private final PostgresConnections connections;
  private final TimeSource time;
  private final Runnable changed;
  private final Function<SQLException, String> explain;
  private final DatabaseRetries retries;
  private @Nullable Connection open;

  /**
   * @param changed called when there may be changes
   * @param explain a failure, for people
   */
  PostgresListener(
      PostgresConnections connections,
      TimeSource time,
      Runnable changed,
      Function<SQLException, String> explain) {
    this.connections = connections;
    this.time = time;
    this.changed = changed;
    this.explain = explain;
    retries = new DatabaseRetries(time);
  }

  void start() {
    time.execute(this::listen);
  }

  /** Why there is no connection, if so. */
  Optional<String> problem() {
    return retries.problem();
  }

  private void listen() {
    try (Connection connection = connections.open()) {
      if (!began(connection)) {
        return;
      }
      PostgresSchema.check(connection);
      try (Statement statement = connection.createStatement()) {
        statement.execute("listen nvsentinel_changes");
      }
      retries.answers();
      PGConnection notified = connection.unwrap(PGConnection.class);
      while (!retries.isClosed()) {
        changed.run();
        var _ = notified.getNotifications((int) BETWEEN_LOOKS.toMillis());
      }
    } catch (SQLException lost) {
      ended();
      retries.failed(explain.apply(lost), this::listen);
    }
  }

  private synchronized boolean began(Connection connection) {
    open = connection;
    return !retries.isClosed();
  }

  private synchronized void ended() {
    open = null;
  }

  @Override
  public void close() {
    Connection last;
    synchronized (this) {
      retries.close();
      last = open;
      open = null;
    }
    if (last != null) {
      try {
        // closing it would wait for the notification that it waits for
        last.abort(Runnable::run);
      } catch (SQLException gone) {
        LOG.debug("the listening connection was closed already: {}", gone.getMessage());
      }
    }
  }
}
