package dev.drydock.health.store.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import dev.drydock.contracts.FirstLine;
import dev.drydock.health.store.StoreUnavailable;
import java.util.Set;

/** What a failure of the database means and what to do about it, in one line. */
final class MongoFailure {
  /** The position cannot be gone on from: malformed, unknown, fatal, or lost. */
  private static final Set<Integer> LOST = Set.of(9, 260, 280, 286);

  private static final int UNAUTHORIZED = 13;
  private static final int AUTHENTICATION_FAILED = 18;
  private static final int NO_REPLICA_SET = 40573;

  private MongoFailure() {}

  /**
   * Nothing is known about the outcome.
   *
   * @param doing what was tried, such as "store events"
   */
  static StoreUnavailable of(MongoConfig config, String doing, MongoException failed) {
    return new StoreUnavailable("cannot %s: %s".formatted(doing, explain(config, failed)), failed);
  }

  private static String explain(MongoConfig config, MongoException failed) {
    if (isRefused(failed)) {
      return "%s refuses the user: check the name, password and certificates in $MONGODB_URI and the certificates' folder"
          .formatted(config.place());
    }
    if (failed instanceof MongoTimeoutException || failed instanceof MongoSocketException) {
      return "%s does not answer: check $MONGODB_URI, and that the server runs"
          .formatted(config.place());
    }
    return switch (failed.getCode()) {
      case UNAUTHORIZED ->
          "the user lacks a right: give it the role readWrite in database %s"
              .formatted(config.database());
      case NO_REPLICA_SET ->
          "%s has no change streams: run it as a replica set, of one member if need be"
              .formatted(config.place());
      default -> "%s: %s".formatted(config.place(), line(failed));
    };
  }

  private static boolean isRefused(MongoException failed) {
    boolean refused = failed.getCode() == AUTHENTICATION_FAILED;
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      refused = refused || cause instanceof MongoSecurityException;
    }
    // while no server can be used, its reason is only in the text
    return refused
        || (failed instanceof MongoTimeoutException
            && String.valueOf(failed.getMessage()).contains("MongoSecurityException"));
  }

  private static String line(MongoException failed) {
    String text =
        failed instanceof MongoCommandException command
            ? command.getErrorMessage()
            : String.valueOf(failed.getMessage());
    return FirstLine.of(text);
  }

  /** Whether the history after a position is not there any more. */
  static boolean isLost(MongoException failed) {
    return LOST.contains(failed.getCode());
  }
}
