package dev.drydock.health.store.postgresql;

import dev.drydock.health.store.DatastoreVariables;
import dev.drydock.health.store.StoreMisconfigured;
import dev.drydock.serve.tls.ClientTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where the database is and who we are there.
 *
 * @param password empty for certificates, or for servers that want none
 * @param sslMode as libpq has it: disable, require, verify-ca or verify-full
 * @param connections the most that are open at a time, besides the one that listens
 */
public record PostgresConfig(
    String host,
    int port,
    String database,
    String username,
    String password,
    String sslMode,
    ClientTls tls,
    int connections) {
  static final int DEFAULT_PORT = 5432;
  static final int DEFAULT_CONNECTIONS = 10;

  private static final Set<String> SSL_MODES =
      Set.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");
  private static final String CERTIFICATES = "/etc/ssl/client-certs";

  /**
   * As the original's variables say.
   *
   * @throws StoreMisconfigured if one is missing or wrong
   */
  public static PostgresConfig of(DatastoreVariables variables) {
    String sslMode = variables.get("DATASTORE_SSLMODE", "require");
    if (!SSL_MODES.contains(sslMode)) {
      throw new StoreMisconfigured(
          "$DATASTORE_SSLMODE is \"%s\"; it should be disable, require, verify-ca or verify-full"
              .formatted(sslMode));
    }
    Path folder = Path.of(variables.get("POSTGRESQL_CLIENT_CERT_MOUNT_PATH", CERTIFICATES));
    return new PostgresConfig(
        variables.required("DATASTORE_HOST", "the host of the PostgreSQL server"),
        variables.number("DATASTORE_PORT", DEFAULT_PORT, 1, 65_535),
        variables.required("DATASTORE_DATABASE", "the name of the database"),
        variables.required("DATASTORE_USERNAME", "the name of the database's user"),
        variables.get("DATASTORE_PASSWORD", ""),
        sslMode,
        new ClientTls(
            file(variables, "DATASTORE_SSLCERT", folder.resolve("tls.crt")),
            file(variables, "DATASTORE_SSLKEY", folder.resolve("tls.key")),
            file(variables, "DATASTORE_SSLROOTCERT", folder.resolve("ca.crt"))),
        variables.number("DATASTORE_MAX_CONNECTIONS", DEFAULT_CONNECTIONS, 1, 1000));
  }

  /** The file that is named, else the usual one if it is there. */
  private static Optional<Path> file(DatastoreVariables variables, String name, Path usual) {
    return variables
        .find(name)
        .map(Path::of)
        .or(() -> Optional.of(usual).filter(Files::isReadable));
  }

  /** For people. */
  String place() {
    return "PostgreSQL at %s:%d".formatted(host, port);
  }

  /** The address without the password. */
  @Override
  public String toString() {
    return "%s, database %s, user %s, sslmode %s".formatted(place(), database, username, sslMode);
  }
}
