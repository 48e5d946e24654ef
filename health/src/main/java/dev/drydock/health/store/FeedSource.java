package dev.drydock.health.store;

import java.util.List;
import java.util.Optional;

/** What a store adds to {@link StoreFeed}. */
public interface FeedSource {
  /** The position that was saved for the consumer. */
  Optional<String> load();

  void save(String token);

  /** The position after the last change that can be read now. */
  String now();

  /**
   * The changes after a position, in order. What is returned is final: no change before the last
   * one becomes visible later.
   *
   * @throws HistoryLost if some of them are gone
   */
  List<Change> read(String after, int most) throws HistoryLost;

  /** Called once when the feed ends. */
  default void close() {}

  /** The history after a position is not there any more. */
  final class HistoryLost extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param reason for people
     */
    public HistoryLost(String reason) {
      super(reason);
    }
  }
}
