package dev.drydock.health.store.mongodb;

import com.mongodb.ConnectionString;
import dev.drydock.health.store.DatastoreVariables;
import dev.drydock.health.store.StoreMisconfigured;
import dev.drydock.serve.tls.ClientTls;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the database is and how its parts are called.
 *
 * @param uri may have a password
 * @param collection of events
 * @param tokenCollection of the consumers' positions
 * @param connections the most that are open at a time, besides those by which the driver watches
 *     its servers
 */
public record MongoConfig(
    ConnectionString uri,
    String database,
    String collection,
    String tokenCollection,
    ClientTls tls,
    int connections) {
  static final int DEFAULT_CONNECTIONS = 10;

  private static final String CERTIFICATES = "/etc/ssl/mongo-client";

  /**
   * As the original's variables say.
   *
   * @throws StoreMisconfigured if one is missing or wrong
   */
  public static MongoConfig of(DatastoreVariables variables) {
    ConnectionString uri = uri(variables);
    Path folder = Path.of(variables.get("MONGODB_CLIENT_CERT_MOUNT_PATH", CERTIFICATES));
    return new MongoConfig(
        uri,
        variables.get(
            "MONGODB_DATABASE_NAME", variables.get("DATASTORE_DATABASE", "HealthEventsDatabase")),
        variables.get("MONGODB_COLLECTION_NAME", "HealthEvents"),
        variables.get("MONGODB_TOKEN_COLLECTION_NAME", "ResumeTokens"),
        new ClientTls(
            usual(folder.resolve("tls.crt")),
            usual(folder.resolve("tls.key")),
            usual(folder.resolve("ca.crt"))),
        variables.number("DATASTORE_MAX_CONNECTIONS", DEFAULT_CONNECTIONS, 1, 1000));
  }

  private static Optional<Path> usual(Path file) {
    return Optional.of(file).filter(Files::isReadable);
  }

  private static ConnectionString uri(DatastoreVariables variables) {
    Optional<String> uri = variables.find("MONGODB_URI");
    String name = uri.isPresent() ? "MONGODB_URI" : "DATASTORE_HOST";
    String text = uri.orElseGet(() -> ofParts(variables));
    try {
      return new ConnectionString(text);
    } catch (IllegalArgumentException malformed) {
      // without the driver's words: they may quote the password
      throw new StoreMisconfigured(
          "$%s is not an address of MongoDB: it should be mongodb://HOST:PORT/".formatted(name));
    }
  }

  private static String ofParts(DatastoreVariables variables) {
    String host =
        variables
            .find("DATASTORE_HOST")
            .orElseThrow(
                () ->
                    new StoreMisconfigured(
                        "$MONGODB_URI is not set: set it to mongodb://HOST:PORT/"));
    if (host.startsWith("mongodb")) {
      return host;
    }
    String user =
        variables.find("DATASTORE_PASSWORD").isEmpty()
            ? ""
            : encoded(variables.required("DATASTORE_USERNAME", "the name of the database's user"))
                + ":"
                + encoded(variables.get("DATASTORE_PASSWORD", ""))
                + "@";
    return "mongodb://%s%s:%d/%s"
        .formatted(
            user,
            host,
            variables.number("DATASTORE_PORT", 27017, 1, 65_535),
            encoded(variables.get("DATASTORE_DATABASE", "")));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** For people. */
  String place() {
    return "MongoDB at " + String.join(",", uri.getHosts());
  }

  /** The address without the password. */
  @Override
  public String toString() {
    return "%s, database %s, collections %s and %s"
        .formatted(place(), database, collection, tokenCollection);
  }
}
