package dev.drydock.health.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;

/** The database file of the embedded store. Other processes may open it at the same time. */
final class SqliteFile {
  static final String NAME = "events.db";

  private static final String[] TABLES = {
    "create table if not exists meta (name text primary key, value text not null) without rowid",
    """
    create table if not exists events (
      seq integer primary key,
      generation integer not null,
      created integer not null,
      node text not null,
      quarantined text not null,
      key text,
      body blob not null,
      status blob not null,
      episode text not null)
    """,
    "create index if not exists events_of_node on events (node, seq)",
    "create unique index if not exists events_by_key on events (key) where key is not null",
    "create index if not exists events_in_state on events (quarantined, seq) where quarantined <>"
        + " ''",
    "create index if not exists events_of_node_in_state on events (node, quarantined, seq)"
        + " where quarantined <> ''",
    "create table if not exists changes (pos integer primary key, seq integer not null, upd text)",
    "create table if not exists positions (consumer text primary key, token text not null)"
        + " without rowid"
  };

  private final Path file;

  SqliteFile(Path folder) throws IOException {
    Files.createDirectories(folder);
    file = folder.resolve(NAME);
  }

  Path path() {
    return file;
  }

  /**
   * What tells this file from another of its name; empty if there is none. A file that was removed
   * while it is open can be written to, and is lost with the process.
   */
  Optional<Object> identity() {
    try {
      return Optional.ofNullable(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** To be closed by the caller. */
  Connection open(boolean readOnly) throws SQLException {
    Properties properties = new Properties();
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file, properties);
    boolean ready = false;
    try (Statement statement = connection.createStatement()) {
      // another process may be restoring or copying
      statement.execute("pragma busy_timeout = 20000");
      statement.execute("pragma journal_mode = wal");
      // a commit is on disk before it is acknowledged
      statement.execute("pragma synchronous = full");
      statement.execute("pragma cache_size = -16000");
      statement.execute("pragma wal_autocheckpoint = 4000");
      statement.execute("pragma journal_size_limit = 67108864");
      statement.execute("pragma temp_store = memory");
      if (readOnly) {
        statement.execute("pragma query_only = true");
      }
      ready = true;
      return connection;
    } finally {
      if (!ready) {
        connection.close();
      }
    }
  }

  static void createTables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.execute(table);
      }
    }
  }
}
