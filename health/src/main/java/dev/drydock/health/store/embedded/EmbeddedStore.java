package dev.drydock.health.store.embedded;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.FeedSource;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StoreFeed;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * A store in one file, without a server: SQLite with a write-ahead log. Every acknowledged write is
 * on disk. Other processes may read, copy and restore the file meanwhile.
 */
public final class EmbeddedStore implements EventStore {
  private static final int REMOVED_TOGETHER = 5000;

  /** New events are refused before the disk is full, so that decisions can still be stored. */
  private static final long RESERVED_BYTES = 128L << 20;

  private final SqliteFile file;

  /** Of the file that is open. */
  private final Optional<Object> identity;

  private final TimeSource time;
  private final LongSupplier freeBytes;
  private final SqliteWriter writer;
  private final GroupCommit commits;
  private final Deque<Connection> readers = new ArrayDeque<>();
  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private boolean closed;

  private EmbeddedStore(
      SqliteFile file, TimeSource time, SqliteWriter writer, LongSupplier freeBytes) {
    this.file = file;
    this.time = time;
    this.freeBytes = freeBytes;
    this.writer = writer;
    commits = new GroupCommit(writer);
    identity = file.identity();
  }

  /**
   * Opens the store in a folder, and makes what is missing.
   *
   * @throws StoreUnavailable if the folder cannot be used
   */
  public static EmbeddedStore open(Path folder, TimeSource time) {
    return open(folder, time, () -> folder.toFile().getUsableSpace());
  }

  /**
   * @param freeBytes what is left on the disk
   */
  static EmbeddedStore open(Path folder, TimeSource time, LongSupplier freeBytes) {
    try {
      SqliteFile file = new SqliteFile(folder);
      Connection connection = file.open(false);
      boolean ready = false;
      try {
        SqliteFile.createTables(connection);
        setMeta(connection, "insert or ignore", "generation", newGeneration());
        SqliteWriter writer = new SqliteWriter(connection, time.clock());
        ready = true;
        return new EmbeddedStore(file, time, writer, freeBytes);
      } finally {
        if (!ready) {
          connection.close();
        }
      }
    } catch (IOException | SQLException unusable) {
      throw new StoreUnavailable(
          "cannot open the event store in %s: %s".formatted(folder, unusable.getMessage()),
          unusable);
    }
  }

  /** Whether there is a store in a folder. */
  public static boolean existsIn(Path folder) {
    return Files.isRegularFile(folder.resolve(SqliteFile.NAME));
  }

  private static long newGeneration() {
    return ThreadLocalRandom.current().nextLong(1, 1L << Integer.SIZE);
  }

  private static void setMeta(Connection connection, String insert, String name, long value)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "%s into meta (name, value) values ('%s', '%d')".formatted(insert, name, value));
    }
  }

  private Optional<String> lost() {
    return file.identity().equals(identity)
        ? Optional.empty()
        : Optional.of(
            "%s was removed or replaced while it is in use, so what is written is lost: restart the operator, and replace events with \"drydock health restore\" only"
                .formatted(file.path()));
  }

  private <T> T write(String what, GroupCommit.Work<T> work) {
    Optional<String> lost = lost();
    if (lost.isPresent()) {
      throw new StoreUnavailable(lost.get(), new NoSuchFileException(file.path().toString()));
    }
    try {
      return commits.run(work);
    } catch (SQLException failed) {
      throw new StoreUnavailable(
          "cannot %s in %s: %s".formatted(what, file.path(), failed.getMessage()), failed);
    }
  }

  @Override
  public Appended append(List<HealthEvent> events) {
    Appended appended = write("store events", () -> writer.append(events));
    changed();
    return appended;
  }

  @Override
  public int update(List<EventUpdate> updates) {
    int found = write("update events", () -> writer.update(updates));
    changed();
    return found;
  }

  @Override
  public int expire(Instant before) {
    int all = 0;
    int some;
    do {
      some = write("remove old events", () -> writer.expire(before, REMOVED_TOGETHER));
      all += some;
    } while (some == REMOVED_TOGETHER);
    return all;
  }

  @Override
  public void forget(String consumer) {
    write(
        "remove a position",
        () -> {
          writer.forget(consumer);
          return true;
        });
  }

  @Override
  public Optional<StoredEvent> get(String id) {
    OptionalLong seq = EventRows.seq(id);
    if (seq.isEmpty()) {
      return Optional.empty();
    }
    return using(
            connection -> {
              try (PreparedStatement select =
                  connection.prepareStatement(
                      "select " + EventRows.COLUMNS + " from events where seq = ?")) {
                select.setLong(1, seq.getAsLong());
                return rows(select);
              }
            })
        .stream()
        .filter(event -> event.id().equals(id))
        .findFirst();
  }

  @Override
  public List<StoredEvent> query(EventQuery query) {
    return using(connection -> SqliteQuery.run(connection, query));
  }

  @Override
  public long count() {
    return using(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return SqliteWriter.number(statement, "select max(seq) - min(seq) + 1 from events");
          }
        });
  }

  static List<StoredEvent> rows(PreparedStatement select) throws SQLException {
    List<StoredEvent> events = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        events.add(EventRows.read(row));
      }
    }
    return events;
  }

  @FunctionalInterface
  interface Reading<T> {
    T from(Connection connection) throws SQLException;
  }

  /** As many connections as there are readers at a time; they are kept. */
  <T> T using(Reading<T> reading) {
    try {
      Connection connection = reader();
      boolean usable = false;
      try {
        T result = reading.from(connection);
        usable = true;
        return result;
      } finally {
        giveBack(connection, usable);
      }
    } catch (SQLException failed) {
      throw new StoreUnavailable(
          "cannot read %s: %s".formatted(file.path(), failed.getMessage()), failed);
    }
  }

  private Connection reader() throws SQLException {
    synchronized (readers) {
      Connection kept = readers.poll();
      if (kept != null) {
        return kept;
      }
    }
    return file.open(true);
  }

  private void giveBack(Connection connection, boolean usable) throws SQLException {
    synchronized (readers) {
      if (usable && !closed && readers.size() < 4) {
        readers.push(connection);
        return;
      }
    }
    connection.close();
  }

  @Override
  public ChangeFeed feed(String consumer, ChangeFilter filter, FeedStart start, Runnable wake) {
    Runnable listener = listen(wake);
    return new StoreFeed(
        new StoreFeed.Context(this, new EmbeddedChanges(this, consumer, listener), time),
        consumer,
        filter,
        start,
        wake);
  }

  /** The history of changes for a feed that runs elsewhere, and the position of its consumer. */
  public FeedSource history(String consumer) {
    return new EmbeddedChanges(this, consumer, () -> {});
  }

  /**
   * Calls {@code wake} after each change.
   *
   * @return ends that
   */
  public Runnable listen(Runnable wake) {
    Listener listener = new Listener(wake);
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** Of its own identity: the same work may be registered twice. */
  private static final class Listener {
    private final Runnable wake;

    private Listener(Runnable wake) {
      this.wake = wake;
    }
  }

  private void changed() {
    listeners.forEach(listener -> listener.wake.run());
  }

  void savePosition(String consumer, String token) {
    write(
        "save a position",
        () -> {
          writer.position(consumer, token);
          return true;
        });
  }

  @Override
  public void backup(Path copy) {
    if (Files.exists(copy)) {
      throw new IllegalArgumentException(copy + " exists; name a file that does not");
    }
    try (Connection connection = file.open(false);
        PreparedStatement vacuum = connection.prepareStatement("vacuum into ?")) {
      vacuum.setString(1, copy.toString());
      vacuum.execute();
    } catch (SQLException failed) {
      throw new StoreUnavailable(
          "cannot copy %s to %s: %s".formatted(file.path(), copy, failed.getMessage()), failed);
    }
  }

  /**
   * Replaces all events and positions by those of a copy, in one transaction, while the store is
   * used. Consumers list again, because what happened since is not in it.
   *
   * @throws IllegalArgumentException if the file is no copy of an event store
   */
  public void restore(Path copy) {
    if (!Files.isRegularFile(copy)) {
      throw new IllegalArgumentException("there is no file " + copy);
    }
    try (Connection connection = file.open(false);
        Statement statement = connection.createStatement()) {
      try (PreparedStatement attach = connection.prepareStatement("attach ? as copy")) {
        attach.setString(1, copy.toString());
        attach.execute();
      }
      check(statement, copy);
      statement.execute("begin immediate");
      for (String table : List.of("events", "changes", "positions", "meta")) {
        statement.execute("delete from main." + table);
        statement.execute("insert into main.%1$s select * from copy.%1$s".formatted(table));
      }
      setMeta(connection, "insert or replace", "generation", newGeneration());
      statement.execute("commit");
    } catch (SQLException failed) {
      throw new StoreUnavailable(
          "cannot restore %s to %s: %s".formatted(copy, file.path(), failed.getMessage()), failed);
    }
    changed();
  }

  private static void check(Statement statement, Path copy) {
    try {
      var _ = SqliteWriter.number(statement, "select count(*) from copy.positions");
      try (ResultSet row = statement.executeQuery("pragma copy.quick_check(1)")) {
        if (!row.next() || !row.getString(1).equals("ok")) {
          throw new IllegalArgumentException(copy + " is damaged");
        }
      }
    } catch (SQLException other) {
      throw new IllegalArgumentException(copy + " is no copy of an event store", other);
    }
  }

  @Override
  public Optional<String> unready() {
    Optional<String> lost = lost();
    if (lost.isPresent()) {
      return lost;
    }
    long free = freeBytes.getAsLong();
    return free >= RESERVED_BYTES
        ? Optional.empty()
        : Optional.of(
            "the volume of %s has only %d MiB left: make it larger, or eventStore.ttl shorter"
                .formatted(file.path(), free >> 20));
  }

  @Override
  public void close() {
    try {
      synchronized (readers) {
        closed = true;
        for (Connection reader : readers) {
          reader.close();
        }
        readers.clear();
      }
      writer.close();
    } catch (SQLException failed) {
      throw new StoreUnavailable(
          "cannot close %s: %s".formatted(file.path(), failed.getMessage()), failed);
    }
  }
}
