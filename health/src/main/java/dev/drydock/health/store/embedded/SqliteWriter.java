package dev.drydock.health.store.embedded;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.StatusUpdateJson;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one connection that writes, and what it writes. Used by one thread at a time. */
final class SqliteWriter implements GroupCommit.Transactions, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);

  private final Connection connection;
  private final Clock clock;
  private final PreparedStatement insert;
  private final PreparedStatement byKey;
  private final PreparedStatement change;
  private final PreparedStatement byId;
  private final PreparedStatement update;
  private final PreparedStatement position;
  private long dataVersion = -1;
  private long generation;
  private long seq;
  private long pos;
  private long created;

  SqliteWriter(Connection connection, Clock clock) throws SQLException {
    this.connection = connection;
    this.clock = clock;
    insert =
        connection.prepareStatement(
            "insert into events (seq, generation, created, node, quarantined, key, body, status,"
                + " episode) values (?, ?, ?, ?, '', ?, ?, ?, '')");
    byKey = connection.prepareStatement("select generation, seq from events where key = ?");
    change = connection.prepareStatement("insert into changes (pos, seq, upd) values (?, ?, ?)");
    byId =
        connection.prepareStatement(
            "select status, episode from events where seq = ? and generation = ?");
    update =
        connection.prepareStatement(
            "update events set status = ?, quarantined = ?, episode = ? where seq = ?");
    position =
        connection.prepareStatement(
            "insert into positions (consumer, token) values (?, ?)"
                + " on conflict (consumer) do update set token = excluded.token");
  }

  @Override
  public void begin() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("begin immediate");
      // what another process wrote, e.g. by restoring a copy
      long version = number(statement, "pragma data_version");
      if (version != dataVersion) {
        generation = number(statement, "select value from meta where name = 'generation'");
        seq = number(statement, "select max(seq) from events");
        pos = number(statement, "select max(pos) from changes");
        created = number(statement, "select created from events where seq = " + seq);
        seq = Math.max(seq, number(statement, "select value from meta where name = 'expired'"));
        dataVersion = version;
      }
    }
  }

  static long number(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  @Override
  public void commit() throws SQLException {
    execute("commit");
  }

  @Override
  public void rollback() {
    dataVersion = -1;
    try {
      execute("rollback");
    } catch (SQLException noTransaction) {
      LOG.debug("nothing to roll back: {}", noTransaction.getMessage());
    }
  }

  private void execute(String command) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(command);
    }
  }

  Appended append(List<HealthEvent> events) throws SQLException {
    List<String> ids = new ArrayList<>(events.size());
    int duplicates = 0;
    byte[] status = EventMessages.message(HealthEventStatus.NEW).toByteArray();
    for (HealthEvent event : events) {
      String key = event.metadata().get(HealthNames.IDEMPOTENCY_KEY);
      String known = key == null ? null : find(key);
      if (known != null) {
        duplicates++;
        ids.add(known);
      } else {
        ids.add(append(event, key, status));
      }
    }
    return new Appended(ids, duplicates);
  }

  private @Nullable String find(String key) throws SQLException {
    byKey.setString(1, key);
    try (ResultSet row = byKey.executeQuery()) {
      return row.next() ? EventRows.id(row.getLong(1), row.getLong(2)) : null;
    }
  }

  private String append(HealthEvent event, @Nullable String key, byte[] status)
      throws SQLException {
    seq++;
    // after every earlier event, whatever the clock says: times tell the order
    created = Math.max(created + 1, EventRows.micros(clock.instant()));
    insert.setLong(1, seq);
    insert.setLong(2, generation);
    insert.setLong(3, created);
    insert.setString(4, event.nodeName());
    insert.setString(5, key);
    insert.setBytes(6, EventMessages.message(event).toByteArray());
    insert.setBytes(7, status);
    insert.executeUpdate();
    change(seq, null);
    return EventRows.id(generation, seq);
  }

  private void change(long event, @Nullable String updated) throws SQLException {
    pos++;
    change.setLong(1, pos);
    change.setLong(2, event);
    change.setString(3, updated);
    change.executeUpdate();
  }

  int update(List<EventUpdate> updates) throws SQLException {
    int found = 0;
    for (EventUpdate each : updates) {
      OptionalLong event = EventRows.seq(each.id());
      if (event.isPresent() && update(event.getAsLong(), each)) {
        found++;
      }
    }
    return found;
  }

  private boolean update(long event, EventUpdate wanted) throws SQLException {
    byId.setLong(1, event);
    byId.setLong(2, Long.parseLong(wanted.id(), 0, 8, 16));
    HealthEventStatus after;
    String episode;
    try (ResultSet row = byId.executeQuery()) {
      if (!row.next()) {
        return false;
      }
      after = wanted.update().applyTo(EventRows.status(row));
      episode = wanted.update().episodeAfter(row.getString("episode"));
    }
    update.setBytes(1, EventMessages.message(after).toByteArray());
    update.setString(2, after.nodeQuarantined());
    update.setString(3, episode);
    update.setLong(4, event);
    update.executeUpdate();
    change(event, StatusUpdateJson.write(wanted.update()));
    return true;
  }

  void position(String consumer, String token) throws SQLException {
    position.setString(1, consumer);
    position.setString(2, token);
    position.executeUpdate();
  }

  void forget(String consumer) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("delete from positions where consumer = ?")) {
      delete.setString(1, consumer);
      delete.executeUpdate();
    }
  }

  /**
   * Removes events and what is told of them, the oldest first; a consumer that has not seen them
   * yet misses nothing.
   *
   * @param most so many at a time, as others wait meanwhile
   */
  int expire(Instant before, int most) throws SQLException {
    long first = SqliteQuery.edge(connection, "min");
    long until = Math.min(SqliteQuery.firstSince(connection, before) - 1, first + most - 1);
    if (until < first) {
      return 0;
    }
    try (Statement statement = connection.createStatement()) {
      int removed = statement.executeUpdate("delete from events where seq <= " + until);
      // the last position stays, so that numbers are never given twice
      statement.executeUpdate(
          "delete from changes where pos < " + Math.min(pos, firstAfter(until)));
      statement.executeUpdate(
          "insert into meta (name, value) values ('expired', '%1$d') on conflict (name) do update set value = '%1$d'"
              .formatted(until));
      return removed;
    }
  }

  /** The position at which the first event after this one was stored, by halving. */
  private long firstAfter(long event) throws SQLException {
    try (Statement statement = connection.createStatement();
        PreparedStatement select =
            connection.prepareStatement(
                "select seq from changes where pos >= ? and upd is null order by pos limit 1")) {
      long low = number(statement, "select min(pos) from changes");
      long high = pos + 1;
      while (low < high) {
        long middle = low + (high - low) / 2;
        select.setLong(1, middle);
        try (ResultSet row = select.executeQuery()) {
          if (row.next() && row.getLong(1) <= event) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
      }
      return low;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
