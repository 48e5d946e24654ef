package dev.drydock.health.store;

import java.util.List;
import java.util.Optional;

/**
 * The changes of a store for one consumer, in order. After a restart it begins with the first
 * change that was not finished, so a change may come again. If the history since then is lost, it
 * lists what is stored instead, and never skips.
 */
public interface ChangeFeed extends AutoCloseable {
  /** The most changes that may be delivered and not finished. */
  int IN_FLIGHT = 1000;

  /**
   * The next changes, without waiting for one. Empty also while {@link #IN_FLIGHT} are not
   * finished. The feed's {@code wake} is called when there may be more.
   */
  List<Change> next(int most);

  /**
   * The consumer is done with a change, in whatever order. The stored position is never past a
   * change that is not finished.
   */
  void finished(Change change);

  /** Why the feed lists instead of telling changes, if it does since the last restart. */
  Optional<String> relistReason();

  /** Stores the position; also done from time to time by {@link #next}. */
  void save();

  /** Saves the position. The changes that are not finished come again in the next feed. */
  @Override
  void close();
}
