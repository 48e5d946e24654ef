package dev.drydock.health.store.postgresql;

import dev.drydock.contracts.FirstLine;
import dev.drydock.health.store.StoreUnavailable;
import java.sql.SQLException;

/** What a failure of the database means and what to do about it, in one line. */
final class PostgresFailure {
  private static final String GRANTS = "; docs/health.md has the grants that it needs";

  private PostgresFailure() {}

  /**
   * Nothing is known about the outcome.
   *
   * @param doing what was tried, such as "store events"
   */
  static StoreUnavailable of(PostgresConfig config, String doing, SQLException failed) {
    return new StoreUnavailable("cannot %s: %s".formatted(doing, explain(config, failed)), failed);
  }

  private static String explain(PostgresConfig config, SQLException failed) {
    SQLException cause = cause(failed);
    Throwable deepest = deepest(failed);
    if (deepest instanceof PostgresTls.Unusable) {
      return "the certificates for %s cannot be used: %s; check $DATASTORE_SSLCERT, $DATASTORE_SSLKEY and $DATASTORE_SSLROOTCERT"
          .formatted(config.place(), deepest.getMessage());
    }
    String state = cause.getSQLState() == null ? "" : cause.getSQLState();
    String said = FirstLine.of(cause);
    return switch (state) {
      case "28P01", "28000" ->
          "%s refuses the user %s: check $DATASTORE_USERNAME, $DATASTORE_PASSWORD and the certificates: %s"
              .formatted(config.place(), config.username(), said);
      case "3D000" ->
          "%s has no database %s: create it, or set $DATASTORE_DATABASE"
              .formatted(config.place(), config.database());
      case "42501" ->
          "the user %s lacks a right in database %s: %s%s"
              .formatted(config.username(), config.database(), said, GRANTS);
      case "42P01" ->
          "a table is missing in database %s: %s; let the user create tables, or create them: see docs/health.md"
              .formatted(config.database(), said);
      case "42P10" ->
          "database %s has no valid index %s: drop and create it as docs/health.md says"
              .formatted(config.database(), PostgresSchema.INDEX);
      case "53300" ->
          "%s has no connection left: lower $DATASTORE_MAX_CONNECTIONS, or raise max_connections of the server"
              .formatted(config.place());
      case "53100" -> "%s has no space left on its disk".formatted(config.place());
      case "25006" ->
          "%s takes no writes, it is a standby: set $DATASTORE_HOST to the primary"
              .formatted(config.place());
      case "57P01", "57P02", "57P03" ->
          "%s is starting or stopping: %s".formatted(config.place(), said);
      case "08004" ->
          "%s refuses the connection: %s; check $DATASTORE_SSLMODE (%s)"
              .formatted(config.place(), said, config.sslMode());
      case "08000", "08001", "08003", "08006" ->
          "%s does not answer: %s; check $DATASTORE_HOST and $DATASTORE_PORT, and that the server runs"
              .formatted(config.place(), said);
      default -> "%s: %s".formatted(config.place(), said);
    };
  }

  /** What the pool wraps. */
  private static SQLException cause(SQLException failed) {
    SQLException inner = failed;
    while (inner.getSQLState() == null && inner.getCause() instanceof SQLException next) {
      inner = next;
    }
    return inner;
  }

  private static Throwable deepest(Throwable failed) {
    Throwable inner = failed;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }
}
