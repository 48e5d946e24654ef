package dev.drydock.health.store.embedded;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.FeedSource;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StatusUpdateJson;
import dev.drydock.health.store.StoreFeed;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
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

/**
 * A store in one file, without a server: SQLite with a write-ahead log. Every acknowledged write is
 * on disk. Other processes may read, copy and restore the file meanwhile.
 */
public final class EmbeddedStore implements EventStore {
  private final SqliteFile file;
  private final TimeSource time;
  private final SqliteWriter writer;
  private final GroupCommit commits;
  private final Deque<Connection> readers = new ArrayDeque<>();
  private final Set<Changes> feeds = ConcurrentHashMap.newKeySet();
  private boolean closed;

  private EmbeddedStore(SqliteFile file, TimeSource time, SqliteWriter writer) {
    this.file = file;
    this.time = time;
    this.writer = writer;
    commits = new GroupCommit(writer);
  }

  /**
   * Opens the store in a folder, and makes what is missing.
   *
   * @throws StoreUnavailable if the folder cannot be used
   */
  public static EmbeddedStore open(Path folder, TimeSource time) {
    try {
      SqliteFile file = new SqliteFile(folder);
      Connection connection = file.open(false);
      boolean ready = false;
      try {
        SqliteFile.createTables(connection);
        setMeta(connection, "insert or ignore", "generation", newGeneration());
        SqliteWriter writer = new SqliteWriter(connection, time.clock());
        ready = true;
        return new EmbeddedStore(file, time, writer);
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

  private <T> T write(String what, GroupCommit.Work<T> work) {
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
    feeds.forEach(Changes::wake);
    return appended;
  }

  @Override
  public int update(List<EventUpdate> updates) {
    int found = write("update events", () -> writer.update(updates));
    feeds.forEach(Changes::wake);
    return found;
  }

  @Override
  public int expire(Instant before) {
    return write("remove old events", () -> writer.expire(before));
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
  private interface Reading<T> {
    T from(Connection connection) throws SQLException;
  }

  /** As many connections as there are readers at a time; they are kept. */
  private <T> T using(Reading<T> reading) {
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
    return new StoreFeed(
        new StoreFeed.Context(this, new Changes(consumer, wake), time),
        consumer,
        filter,
        start,
        wake);
  }

  /** Positions are GENERATION:NUMBER, so that those of a restored copy are told apart. */
  private final class Changes implements FeedSource {
    private final String consumer;
    private final Runnable listener;

    Changes(String consumer, Runnable wake) {
      this.consumer = consumer;
      this.listener = wake;
      feeds.add(this);
    }

    void wake() {
      listener.run();
    }

    @Override
    public Optional<String> load() {
      return using(
          connection -> {
            try (PreparedStatement select =
                connection.prepareStatement("select token from positions where consumer = ?")) {
              select.setString(1, consumer);
              try (ResultSet row = select.executeQuery()) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
              }
            }
          });
    }

    @Override
    public void save(String token) {
      write(
          "save a position",
          () -> {
            writer.position(consumer, token);
            return true;
          });
    }

    @Override
    public String now() {
      return using(
          connection -> {
            try (Statement statement = connection.createStatement()) {
              return generation(statement)
                  + ":"
                  + SqliteWriter.number(statement, "select max(pos) from changes");
            }
          });
    }

    private static long generation(Statement statement) throws SQLException {
      return SqliteWriter.number(statement, "select value from meta where name = 'generation'");
    }

    @Override
    public List<Change> read(String after, int most) throws HistoryLost {
      int colon = after.indexOf(':');
      String generation = after.substring(0, Math.max(colon, 0));
      Optional<List<Change>> changes =
          using(
              connection -> {
                try (Statement statement = connection.createStatement()) {
                  return Long.toString(generation(statement)).equals(generation)
                      ? Optional.of(
                          changes(
                              connection,
                              generation,
                              Long.parseLong(after.substring(colon + 1)),
                              most))
                      : Optional.empty();
                }
              });
      return changes.orElseThrow(() -> new HistoryLost("the event store was restored from a copy"));
    }

    private static List<Change> changes(
        Connection connection, String generation, long after, int most) throws SQLException {
      List<Change> changes = new ArrayList<>();
      try (PreparedStatement select =
          connection.prepareStatement(
              "select c.pos, c.upd, e.seq, e.generation, e.created, e.body, e.status, e.episode"
                  + " from changes c join events e on e.seq = c.seq where c.pos > ? order by c.pos"
                  + " limit ?")) {
        select.setLong(1, after);
        select.setInt(2, most);
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            String updated = row.getString("upd");
            changes.add(
                new Change(
                    generation + ":" + row.getLong("pos"),
                    updated == null ? Change.Kind.INSERTED : Change.Kind.UPDATED,
                    EventRows.read(row),
                    updated == null ? StatusUpdate.NONE : update(updated)));
          }
        }
      }
      return changes;
    }

    private static StatusUpdate update(String text) throws SQLException {
      try {
        return StatusUpdateJson.read(text);
      } catch (IOException damaged) {
        throw new SQLException("a change is damaged: " + damaged.getMessage(), damaged);
      }
    }

    @Override
    public void close() {
      feeds.remove(this);
    }
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
    feeds.forEach(Changes::wake);
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
    return Optional.empty();
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
