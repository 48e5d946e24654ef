package dev.drydock.health.store.postgresql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drydock.serve.tls.ClientTls;
import dev.drydock.testbed.Ports;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A real PostgreSQL, one for all tests of a process, with a new database for each. */
public final class PostgresServer {
  static final String ADMINISTRATOR = "postgres";

  /** Who has to show a password; everybody else may come in without. */
  static final String CAREFUL = "careful";

  static final String PASSWORD = "not-told-to-anybody";

  private static @Nullable PostgresServer shared;

  private final EmbeddedPostgres server;
  private final AtomicInteger databases = new AtomicInteger();

  private PostgresServer(EmbeddedPostgres server) {
    this.server = server;
  }

  /** Started with the first use, and stopped with this process. */
  public static synchronized PostgresServer shared() {
    if (shared == null) {
      assumeTrue(
          System.getProperty("os.name").equals("Linux")
              && System.getProperty("os.arch").equals("amd64"),
          "skipped: the PostgreSQL for tests is built for Linux on amd64");
      try {
        Path access = Files.createTempFile("drydock-pg", ".hba");
        access.toFile().deleteOnExit();
        Files.writeString(
            access,
            "host all %s all scram-sha-256%nhost all all 127.0.0.1/32 trust%n".formatted(CAREFUL));
        // the server runs as another user where this process is root
        var _ = access.toFile().setReadable(true, false);
        shared =
            new PostgresServer(
                EmbeddedPostgres.builder()
                    .setPort(Ports.free())
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .setServerConfig("hba_file", access.toString())
                    .setServerConfig("max_connections", "60")
                    .start());
        try (Connection connection = shared.connect(ADMINISTRATOR, ADMINISTRATOR);
            Statement statement = connection.createStatement()) {
          statement.execute("create role %s login password '%s'".formatted(CAREFUL, PASSWORD));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
    return shared;
  }

  public int port() {
    return server.getPort();
  }

  /** A database with nothing in it. */
  public String newDatabase() {
    String name = "events_" + databases.incrementAndGet();
    execute(ADMINISTRATOR, "create database " + name);
    return name;
  }

  public PostgresConfig config(String database) {
    return config(database, port(), ADMINISTRATOR, "");
  }

  /** By another port, such as that of a relay. */
  public PostgresConfig config(String database, int port) {
    return config(database, port, ADMINISTRATOR, "");
  }

  static PostgresConfig config(String database, int port, String user, String password) {
    return new PostgresConfig(
        "127.0.0.1", port, database, user, password, "disable", ClientTls.DEFAULT, 4);
  }

  Connection connect(String database, String user) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s"
            .formatted(port(), database, user, PASSWORD));
  }

  Connection connect(String database) {
    try {
      return connect(database, ADMINISTRATOR);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void execute(String database, String... commands) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String command : commands) {
        statement.execute(command);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  long number(String database, String query) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
