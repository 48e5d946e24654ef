package dev.drydock.health.store;

import dev.drydock.contracts.health.HealthEvent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A log of health events, the state of each, and a feed of changes for each consumer. All methods
 * may be called by several threads, and throw {@link StoreUnavailable} if the store does not
 * answer: then nothing is known about the outcome, and the call is to be repeated.
 */
public interface EventStore extends AutoCloseable {
  /**
   * Appends in order; when this returns, the events survive a crash. An event whose metadata has
   * {@link dev.drydock.contracts.health.HealthNames#IDEMPOTENCY_KEY} is stored once, however often
   * it is appended. After a failure the beginning of the list may be stored; repeating the call
   * stores the rest.
   */
  Appended append(List<HealthEvent> events);

  Optional<StoredEvent> get(String id);

  /** Reads an index, and never more than the query's limit. */
  List<StoredEvent> query(EventQuery query);

  /**
   * Updates the state of events, in order; survives a crash when this returns.
   *
   * @return how many of the events exist
   */
  int update(List<EventUpdate> updates);

  /** False if there is no such event. */
  default boolean update(String id, StatusUpdate update) {
    return update(List.of(new EventUpdate(id, update))) == 1;
  }

  /**
   * The changes that this consumer has not finished yet. There is one feed per consumer at a time.
   *
   * @param consumer whose position is kept
   * @param start what a consumer gets that has no position yet
   * @param wake called when there may be more changes; must return at once
   */
  ChangeFeed feed(String consumer, ChangeFilter filter, FeedStart start, Runnable wake);

  /** Forgets the position of a consumer: its next feed begins as that of a new one. */
  void forget(String consumer);

  /** Removes events that were created before, and returns how many. */
  int expire(Instant before);

  /** How many events there are, perhaps estimated. */
  long count();

  /**
   * Writes a copy that is consistent at one position, positions of consumers included, while the
   * store is used.
   *
   * @throws UnsupportedOperationException if the database has its own means for that
   */
  void backup(Path file);

  /** Why events cannot be stored at present, if so. */
  Optional<String> unready();

  @Override
  void close();
}
