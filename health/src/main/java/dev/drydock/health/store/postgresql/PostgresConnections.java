package dev.drydock.health.store.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.drydock.serve.tls.ClientTls;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connections to the database: a pool of a fixed size, however many nodes send events, and single
 * ones for whoever keeps one. A server that does not answer is noticed after a bounded time.
 */
final class PostgresConnections implements AutoCloseable {
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final Duration IDLE_PROBE = Duration.ofMinutes(1);

  /** What was acknowledged is on disk, also where the server's default is otherwise. */
  private static final String DURABLE =
      "select set_config('synchronous_commit', 'on', false)"
          + " where current_setting('synchronous_commit') = 'off'";

  private final PostgresConfig config;
  private final HikariDataSource pool;

  PostgresConnections(PostgresConfig config) {
    this.config = config;
    HikariConfig settings = new HikariConfig();
    settings.setPoolName("event-store");
    settings.setJdbcUrl(url());
    settings.setDataSourceProperties(properties());
    settings.setMaximumPoolSize(config.connections());
    settings.setMinimumIdle(1);
    settings.setConnectionTimeout(WAIT.toMillis());
    settings.setValidationTimeout(WAIT.toMillis());
    settings.setKeepaliveTime(IDLE_PROBE.toMillis());
    settings.setConnectionInitSql(DURABLE);
    // the pool is made before anybody knows whether there is a server
    settings.setInitializationFailTimeout(-1);
    pool = new HikariDataSource(settings);
  }

  /** Names no user and no password. */
  String url() {
    return "jdbc:postgresql://%s:%d/%s"
        .formatted(
            config.host().contains(":") && !config.host().startsWith("[")
                ? "[" + config.host() + "]"
                : config.host(),
            config.port(),
            URLEncoder.encode(config.database(), StandardCharsets.UTF_8));
  }

  Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("user", config.username());
    if (!config.password().isEmpty()) {
      properties.setProperty("password", config.password());
    }
    properties.setProperty("ApplicationName", "drydock");
    properties.setProperty("connectTimeout", Long.toString(WAIT.toSeconds()));
    properties.setProperty("loginTimeout", Long.toString(WAIT.toSeconds()));
    properties.setProperty("socketTimeout", Long.toString(ANSWER.toSeconds()));
    properties.setProperty("tcpKeepAlive", "true");
    // Kerberos, whose classes the image does not have
    properties.setProperty("gssEncMode", "disable");
    properties.setProperty("sslmode", config.sslMode());
    if (!config.sslMode().equals("disable")) {
      ClientTls tls = config.tls();
      properties.setProperty("sslfactory", PostgresTls.class.getName());
      setFile(properties, "sslcert", tls.certificate());
      setFile(properties, "sslkey", tls.key());
      setFile(properties, "sslrootcert", tls.authorities());
    }
    return properties;
  }

  private static void setFile(Properties properties, String name, Optional<Path> file) {
    file.ifPresent(path -> properties.setProperty(name, path.toString()));
  }

  /** One of the pool, to be closed soon. */
  Connection borrow() throws SQLException {
    return pool.getConnection();
  }

  /** One beside the pool, to be kept by the caller. */
  Connection open() throws SQLException {
    return source().getConnection();
  }

  /** Connections beside the pool. */
  DataSource source() throws SQLException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url());
    Properties properties = properties();
    for (String name : properties.stringPropertyNames()) {
      source.setProperty(name, properties.getProperty(name));
    }
    return source;
  }

  @Override
  public void close() {
    pool.close();
  }
}
