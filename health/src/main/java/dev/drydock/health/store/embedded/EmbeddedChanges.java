package dev.drydock.health.store.embedded;

import dev.drydock.health.store.Change;
import dev.drydock.health.store.FeedSource;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StatusUpdateJson;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The history of an embedded store. Positions are GENERATION:NUMBER, so that those of a restored
 * copy are told apart. It has no state of its own: everything is in the file.
 *
 * @param closed runs when the feed ends
 */
record EmbeddedChanges(EmbeddedStore store, String consumer, Runnable closed)
    implements FeedSource {
  @Override
  public Optional<String> load() {
    return store.using(
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
    store.savePosition(consumer, token);
  }

  @Override
  public String now() {
    return store.using(
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
        store.using(
            connection -> {
              try (Statement statement = connection.createStatement()) {
                return Long.toString(generation(statement)).equals(generation)
                        && number(after)
                            <= SqliteWriter.number(statement, "select max(pos) from changes")
                    ? Optional.of(changes(connection, generation, number(after), most))
                    : Optional.empty();
              }
            });
    return changes.orElseThrow(() -> new HistoryLost("the event store was restored from a copy"));
  }

  private static long number(String position) {
    return Long.parseLong(position.substring(position.indexOf(':') + 1));
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
    closed.run();
  }
}
