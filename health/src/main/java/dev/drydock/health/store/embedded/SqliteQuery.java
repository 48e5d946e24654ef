package dev.drydock.health.store.embedded;

import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.StoredEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Queries that read an index in its order, and stop at their limit. */
final class SqliteQuery {
  private SqliteQuery() {}

  static List<StoredEvent> run(Connection connection, EventQuery query) throws SQLException {
    if (query.nodeQuarantined().isEmpty()) {
      return select(connection, query, "", List.of());
    }
    // one index range per word, merged here: the database would sort all of them
    List<StoredEvent> found = new ArrayList<>();
    for (String word : query.nodeQuarantined()) {
      // the same words as in the index's own condition
      found.addAll(
          select(
              connection,
              query,
              word.isEmpty()
                  ? " and quarantined = ''"
                  : " and quarantined = ? and quarantined <> ''",
              word.isEmpty() ? List.of() : List.of(word)));
    }
    Comparator<StoredEvent> order =
        Comparator.comparingLong(event -> EventRows.seq(event.id()).orElse(0));
    return found.stream()
        .sorted(query.newestFirst() ? order.reversed() : order)
        .limit(query.limit())
        .toList();
  }

  private static List<StoredEvent> select(
      Connection connection, EventQuery query, String state, List<Object> word)
      throws SQLException {
    List<Object> values = new ArrayList<>();
    StringBuilder sql =
        new StringBuilder("select ").append(EventRows.COLUMNS).append(" from events where true");
    if (query.node().isPresent()) {
      sql.append(" and node = ?");
      values.add(query.node().get());
    }
    sql.append(state);
    values.addAll(word);
    if (query.since().isPresent()) {
      sql.append(" and seq >= ?");
      values.add(firstSince(connection, query.since().get()));
    }
    if (query.after().isPresent()) {
      sql.append(query.newestFirst() ? " and seq < ?" : " and seq > ?");
      values.add(EventRows.seq(query.after().get().id()).orElse(0));
    }
    sql.append(" order by seq").append(query.newestFirst() ? " desc" : "").append(" limit ?");
    values.add(query.limit());
    try (PreparedStatement select = connection.prepareStatement(sql.toString())) {
      for (int i = 0; i < values.size(); i++) {
        select.setObject(i + 1, values.get(i));
      }
      return EmbeddedStore.rows(select);
    }
  }

  /** The number of the first event since a time, by halving: later events have later times. */
  static long firstSince(Connection connection, Instant since) throws SQLException {
    long micros = EventRows.micros(since);
    long low = edge(connection, "min");
    long high = edge(connection, "max") + 1;
    try (PreparedStatement select =
        connection.prepareStatement(
            "select created from events where seq >= ? order by seq limit 1")) {
      while (low < high) {
        long middle = low + (high - low) / 2;
        select.setLong(1, middle);
        try (ResultSet row = select.executeQuery()) {
          if (row.next() && row.getLong(1) < micros) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
      }
    }
    return low;
  }

  static long edge(Connection connection, String function) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement("select %s(seq) from events".formatted(function));
        ResultSet row = select.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
