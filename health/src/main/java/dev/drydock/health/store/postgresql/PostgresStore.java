package dev.drydock.health.store.postgresql;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StoreFeed;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.time.TimeSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store in the tables of NVSentinel's PostgreSQL provider. Its components may use them at the
 * same time.
 */
public final class PostgresStore implements EventStore {
  /** Removed in one transaction: a long one would hold up consumers. */
  private static final int REMOVED_TOGETHER = 2000;

  /** The rest is removed the next time. */
  private static final Duration REMOVING = Duration.ofSeconds(20);

  private final PostgresConfig config;
  private final PostgresConnections connections;
  private final TimeSource time;
  private final PostgresWriter writer;
  private final PostgresListener listener;
  private final Set<PostgresChanges> feeds = ConcurrentHashMap.newKeySet();

  private PostgresStore(
      PostgresConfig config,
      PostgresConnections connections,
      TimeSource time,
      PostgresWriter writer) {
    this.config = config;
    this.connections = connections;
    this.time = time;
    this.writer = writer;
    listener =
        new PostgresListener(
            connections,
            time,
            () -> feeds.forEach(PostgresChanges::wake),
            lost -> PostgresFailure.of(config, "follow changes", lost).getMessage());
  }

  /**
   * Connects, and makes or completes the tables.
   *
   * @throws StoreUnavailable with one line that says what to do
   */
  public static PostgresStore open(PostgresConfig config, TimeSource time) {
    return open(config, time, PostgresSchema::prepare);
  }

  /**
   * Connects to tables that are there, and changes none.
   *
   * @throws StoreUnavailable with one line that says what to do
   */
  public static PostgresStore openExisting(PostgresConfig config, TimeSource time) {
    return open(config, time, PostgresSchema::checkExisting);
  }

  @FunctionalInterface
  private interface Preparation {
    void run(PostgresConnections connections) throws SQLException;
  }

  private static PostgresStore open(
      PostgresConfig config, TimeSource time, Preparation preparation) {
    PostgresConnections connections = new PostgresConnections(config);
    boolean ready = false;
    try {
      preparation.run(connections);
      long newest;
      try (Connection connection = connections.borrow();
          Statement statement = connection.createStatement()) {
        newest = PostgresWriter.newest(statement);
      }
      PostgresStore store =
          new PostgresStore(config, connections, time, new PostgresWriter(time.clock(), newest));
      store.listener.start();
      ready = true;
      return store;
    } catch (SQLException failed) {
      throw PostgresFailure.of(config, "open the event store", failed);
    } finally {
      if (!ready) {
        connections.close();
      }
    }
  }

  /** Work with a connection. */
  @FunctionalInterface
  interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  <T> T using(String doing, Work<T> work) {
    try (Connection connection = connections.borrow()) {
      return work.with(connection);
    } catch (SQLException failed) {
      throw PostgresFailure.of(config, doing, failed);
    }
  }

  <T> T inTransaction(String doing, Work<T> work) {
    return using(
        doing,
        connection -> {
          connection.setAutoCommit(false);
          boolean committed = false;
          try {
            T result = work.with(connection);
            connection.commit();
            committed = true;
            return result;
          } finally {
            if (!committed) {
              connection.rollback();
            }
          }
        });
  }

  @Override
  public Appended append(List<HealthEvent> events) {
    Appended appended =
        inTransaction("store events", connection -> writer.append(connection, events));
    feeds.forEach(PostgresChanges::wake);
    return appended;
  }

  @Override
  public int update(List<EventUpdate> updates) {
    int found =
        inTransaction("update events", connection -> PostgresWriter.update(connection, updates));
    feeds.forEach(PostgresChanges::wake);
    return found;
  }

  @Override
  public Optional<StoredEvent> get(String id) {
    Optional<UUID> key = PostgresRows.id(id);
    return key.isEmpty()
        ? Optional.empty()
        : using(
            "read an event",
            connection -> {
              try (PreparedStatement select =
                  connection.prepareStatement(
                      "select " + PostgresRows.COLUMNS + " from health_events h where h.id = ?")) {
                select.setObject(1, key.get());
                return PostgresQuery.rows(select).stream().findFirst();
              }
            });
  }

  @Override
  public List<StoredEvent> query(EventQuery query) {
    return using("read events", connection -> PostgresQuery.run(connection, query));
  }

  @Override
  public ChangeFeed feed(String consumer, ChangeFilter filter, FeedStart start, Runnable wake) {
    PostgresChanges changes = new PostgresChanges(this, consumer, wake);
    ChangeFeed feed =
        new StoreFeed(new StoreFeed.Context(this, changes, time), consumer, filter, start, wake);
    feeds.add(changes);
    return feed;
  }

  void closed(PostgresChanges changes) {
    feeds.remove(changes);
  }

  void later(Duration delay, Runnable work) {
    var _ = time.schedule(delay, work);
  }

  @Override
  public void forget(String consumer) {
    using(
        "remove a position",
        connection -> {
          PostgresWriter.forget(connection, consumer);
          return true;
        });
  }

  @Override
  public int expire(Instant before) {
    Duration until = time.elapsed().plus(REMOVING);
    int all = 0;
    int some;
    do {
      some =
          inTransaction(
              "remove old events",
              connection -> PostgresWriter.expire(connection, before, REMOVED_TOGETHER));
      all += some;
    } while (some == REMOVED_TOGETHER && time.elapsed().compareTo(until) < 0);
    do {
      List<Long> kept = feeds.stream().map(PostgresChanges::position).toList();
      some =
          inTransaction(
              "remove old changes",
              connection ->
                  PostgresWriter.forgetChanges(connection, before, kept, REMOVED_TOGETHER));
    } while (some == REMOVED_TOGETHER && time.elapsed().compareTo(until) < 0);
    return all;
  }

  @Override
  public long count() {
    return using(
        "count events",
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet row =
                  statement.executeQuery(
                      "select greatest(reltuples, 0)::bigint,"
                          + " (select count(*) from (select from health_events limit 10000) as few)"
                          + " from pg_class where oid = 'health_events'::regclass")) {
            // the server's estimate, which it makes from time to time
            return row.next() ? Math.max(row.getLong(1), row.getLong(2)) : 0L;
          }
        });
  }

  @Override
  public void backup(Path file) {
    throw new UnsupportedOperationException("copy the database with pg_dump");
  }

  @Override
  public Optional<String> unready() {
    return listener.problem();
  }

  @Override
  public void close() {
    listener.close();
    connections.close();
  }
}
