package dev.drydock.health.store.postgresql;

import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.StoredEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Queries that read an index in its order, and stop at their limit. */
final class PostgresQuery {
  private PostgresQuery() {}

  static List<StoredEvent> run(Connection connection, EventQuery query) throws SQLException {
    List<Object> values = new ArrayList<>();
    String order = query.newestFirst() ? "created_at desc, id desc" : "created_at, id";
    String sql;
    if (query.nodeQuarantined().isEmpty()) {
      sql = select(query, Optional.empty(), values);
    } else {
      // one index range per word: a list of words would be sorted as a whole
      List<String> each = new ArrayList<>();
      for (String word : query.nodeQuarantined()) {
        each.add("(" + select(query, Optional.of(word), values) + ")");
      }
      sql =
          "select %s from (%s) h order by %s limit %d"
              .formatted(
                  PostgresRows.COLUMNS, String.join(" union all ", each), order, query.limit());
    }
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.size(); i++) {
        select.setObject(i + 1, values.get(i));
      }
      return rows(select);
    }
  }

  private static String select(EventQuery query, Optional<String> word, List<Object> values) {
    StringBuilder sql =
        new StringBuilder("select " + PostgresRows.COLUMNS + " from health_events h where true");
    if (query.node().isPresent()) {
      sql.append(" and h.node_name = ?");
      values.add(PostgresRows.fitting(query.node().get(), PostgresWriter.NODE_LENGTH));
    }
    if (word.isPresent()) {
      sql.append(" and coalesce(h.node_quarantined, '') = ?");
      values.add(word.get());
    }
    if (query.since().isPresent()) {
      sql.append(" and h.created_at >= ?");
      values.add(PostgresRows.time(query.since().get()));
    }
    if (query.after().isPresent()) {
      StoredEvent after = query.after().get();
      sql.append(" and (h.created_at, h.id) ")
          .append(query.newestFirst() ? '<' : '>')
          .append(" (?, ?)");
      values.add(PostgresRows.time(after.createdAt()));
      values.add(PostgresRows.id(after.id()).orElse(new UUID(0, 0)));
    }
    return sql.append(" order by h.created_at")
        .append(query.newestFirst() ? " desc, h.id desc" : ", h.id")
        .append(" limit ")
        .append(query.limit())
        .toString();
  }

  static List<StoredEvent> rows(PreparedStatement select) throws SQLException {
    List<StoredEvent> events = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        events.add(PostgresRows.read(row));
      }
    }
    return events;
  }
}
