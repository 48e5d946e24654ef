package dev.drydock.health.store.postgresql;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.FeedSource;
import dev.drydock.health.store.StatusDocument;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StatusUpdateJson;
import dev.drydock.health.store.StoredEvent;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The change log for one consumer. Rows have numbers in the order in which they were written, but
 * become visible in the order of their commits. A number that is missing may belong to a
 * transaction that still runs, so nothing after it is read until all transactions have ended that
 * were writing when it was first missed. Whoever writes a row has locked the table before he gets
 * its number, and has committed before he lets go of it.
 */
final class PostgresChanges implements FeedSource {
  /** Commits wake the feed; this is for transactions that fail. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  private static final String READ =
      """
      select c.id as number, c.operation, c.changed_at, h.id, h.created_at, h.document,
          case when c.ours then c.new_values #>> '{document,drydock,update}' end as upd,
          case when c.operation = 'UPDATE' and not c.ours then c.old_values #>> '{document,healtheventstatus}' end as before,
          case when c.operation = 'UPDATE' and not c.ours then c.new_values #>> '{document,healtheventstatus}' end as after
        from (select *, operation = 'UPDATE' and new_values #> '{document,drydock,number}' is not null
              and new_values #> '{document,drydock,number}' is distinct from old_values #> '{document,drydock,number}' as ours
            from datastore_changelog where id > ? order by id limit ?) c
          left join health_events h on h.id = c.record_id and c.table_name = 'health_events'
        order by c.id
      """;

  private static final String WRITERS =
      """
      select virtualtransaction from pg_locks
        where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
          and relation = 'datastore_changelog'::regclass
          and database = (select oid from pg_database where datname = current_database())
      """;

  /** Until those who are writing have ended; new ones wait meanwhile. */
  private static final String BARRIER =
      "set local lock_timeout = '5s'; lock table datastore_changelog in share mode";

  private static final String LAST =
      "select id, changed_at from datastore_changelog order by id desc limit 1";

  /** A row to begin at, where there is none: so it is seen if all rows after it are removed. */
  private static final String FIRST =
      "insert into datastore_changelog (table_name, record_id, operation)"
          + " values ('drydock', gen_random_uuid(), 'BEGIN') returning id, changed_at";

  private final PostgresStore store;
  private final String consumer;
  private final Runnable wake;

  /** Up to here rows were looked at, also those that are no change of an event. */
  private long scanned;

  /** Numbers up to here that are missing will not come any more. */
  private long complete;

  /** Who was writing when a number up to {@link #awaited} was first missed. */
  private Set<String> writers = Set.of();

  private long awaited;
  private volatile long position;

  PostgresChanges(PostgresStore store, String consumer, Runnable wake) {
    this.store = store;
    this.consumer = consumer;
    this.wake = wake;
  }

  void wake() {
    wake.run();
  }

  /** The row at which the next read begins; it must not be removed. */
  long position() {
    return position;
  }

  @Override
  public Optional<String> load() {
    return store.using(
        "read a position",
        connection -> {
          try (PreparedStatement select =
              connection.prepareStatement(
                  "select resume_token from resume_tokens where client_name = ?")) {
            select.setString(1, consumer);
            try (ResultSet row = select.executeQuery()) {
              return row.next()
                  ? PostgresPosition.token(PostgresRows.json(row.getString(1)))
                  : Optional.empty();
            }
          }
        });
  }

  @Override
  public void save(String token) {
    String json = PostgresPosition.json(token);
    store.using(
        "save a position",
        connection -> {
          PostgresWriter.save(connection, consumer, json);
          return true;
        });
  }

  @Override
  public String now() {
    PostgresPosition now =
        store.inTransaction(
            "read the end of the change log",
            connection -> {
              try (Statement statement = connection.createStatement()) {
                statement.execute(BARRIER);
                Optional<PostgresPosition> last = position(statement, LAST);
                return last.isPresent() ? last.get() : position(statement, FIRST).orElseThrow();
              }
            });
    // after a restored database it may be lower than before
    scanned = now.number();
    complete = now.number();
    awaited = 0;
    writers = Set.of();
    position = now.number();
    return now.token();
  }

  @Override
  public List<Change> read(String after, int most) throws HistoryLost {
    PostgresPosition from = PostgresPosition.parse(after);
    position = from.number();
    scanned = Math.max(scanned, from.number());
    Optional<List<Change>> changes =
        store.using(
            "read changes",
            connection ->
                isThere(connection, from)
                    ? Optional.of(changes(connection, most))
                    : Optional.<List<Change>>empty());
    if (changes.isEmpty()) {
      throw new HistoryLost("the change log of the database does not go back to " + after);
    }
    if (!changes.get().isEmpty()) {
      position = PostgresPosition.parse(changes.get().getLast().token()).number();
    }
    return changes.get();
  }

  private static Optional<PostgresPosition> position(Statement statement, String query)
      throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      return row.next()
          ? Optional.of(
              PostgresPosition.of(row.getLong("id"), PostgresRows.instant(row, "changed_at")))
          : Optional.empty();
    }
  }

  private static boolean isThere(Connection connection, PostgresPosition from) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("select changed_at from datastore_changelog where id = ?")) {
      select.setLong(1, from.number());
      try (ResultSet row = select.executeQuery()) {
        return row.next() && from.isAt(PostgresRows.instant(row, "changed_at"));
      }
    }
  }

  private List<Change> changes(Connection connection, int most) throws SQLException {
    List<Change> changes = new ArrayList<>();
    boolean more = true;
    while (more && changes.isEmpty()) {
      more = readOn(connection, changes, most);
    }
    return changes;
  }

  /** Reads a page, and says whether there may be another. */
  private boolean readOn(Connection connection, List<Change> changes, int most)
      throws SQLException {
    long seen = 0;
    long last = 0;
    int rows = 0;
    try (PreparedStatement select = connection.prepareStatement(READ)) {
      select.setLong(1, scanned);
      select.setInt(2, most);
      try (ResultSet row = select.executeQuery()) {
        boolean whole = true;
        while (row.next()) {
          last = row.getLong("number");
          rows++;
          whole = whole && (last == scanned + 1 || last - 1 <= complete);
          if (whole) {
            scanned = last;
            seen = last;
            change(row).ifPresent(changes::add);
          }
        }
      }
    }
    if (seen != last) {
      // a number is missing: if its transaction has ended, another look shows what it wrote
      return isComplete(connection, last);
    }
    return rows == most;
  }

  /** Whether no number up to this one can appear any more. */
  private boolean isComplete(Connection connection, long number) throws SQLException {
    Set<String> now = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(WRITERS)) {
      while (row.next()) {
        now.add(row.getString(1));
      }
    }
    if (awaited <= complete) {
      awaited = number;
      writers = now;
    } else {
      writers = new HashSet<>(writers);
      writers.retainAll(now);
    }
    if (writers.isEmpty()) {
      complete = awaited;
      return true;
    }
    store.later(BETWEEN_LOOKS, wake);
    return false;
  }

  /** Empty for rows of other tables, and of events that are gone. */
  private static Optional<Change> change(ResultSet row) throws SQLException {
    String operation = row.getString("operation");
    if (row.getString("id") == null || operation.equals("DELETE")) {
      return Optional.empty();
    }
    Instant changed = PostgresRows.instant(row, "changed_at");
    String token = PostgresPosition.of(row.getLong("number"), changed).token();
    StoredEvent event = PostgresRows.read(row);
    return Optional.of(
        operation.equals("INSERT")
            ? new Change(token, Change.Kind.INSERTED, event, StatusUpdate.NONE)
            : new Change(token, Change.Kind.UPDATED, event, update(row)));
  }

  private static StatusUpdate update(ResultSet row) throws SQLException {
    String ours = row.getString("upd");
    try {
      if (ours != null) {
        return StatusUpdateJson.read(ours);
      }
    } catch (IOException damaged) {
      throw new SQLException("a change is damaged: " + damaged.getMessage(), damaged);
    }
    JsonNode before = PostgresRows.json(row.getString("before"));
    return StatusDocument.difference(before, PostgresRows.json(row.getString("after")));
  }

  @Override
  public void close() {
    store.closed(this);
  }
}
