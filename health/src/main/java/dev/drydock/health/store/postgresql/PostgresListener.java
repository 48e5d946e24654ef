package dev.drydock.health.store.postgresql;

import dev.drydock.kube.Backoff;
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
  private @Nullable Connection open;
  private boolean closed;
  private int failures;
  private volatile Optional<String> problem = Optional.empty();

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
  }

  void start() {
    time.execute(this::listen);
  }

  /** Why there is no connection, if so. */
  Optional<String> problem() {
    return problem;
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
      listens();
      PGConnection notified = connection.unwrap(PGConnection.class);
      while (!isClosed()) {
        changed.run();
        var _ = notified.getNotifications((int) BETWEEN_LOOKS.toMillis());
      }
    } catch (SQLException lost) {
      retry(lost);
    }
  }

  private synchronized boolean began(Connection connection) {
    open = connection;
    return !closed;
  }

  private void listens() {
    if (problem.isPresent()) {
      LOG.info("the event store answers again");
    }
    problem = Optional.empty();
    synchronized (this) {
      failures = 0;
    }
  }

  private void retry(SQLException lost) {
    int count;
    synchronized (this) {
      if (closed) {
        return;
      }
      open = null;
      failures++;
      count = failures;
    }
    String why = explain.apply(lost);
    if (!problem.equals(Optional.of(why))) {
      LOG.warn("{}; retrying", why);
    }
    problem = Optional.of(why);
    var _ = time.schedule(Backoff.DEFAULT.after(count), this::listen);
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    Connection last;
    synchronized (this) {
      closed = true;
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
