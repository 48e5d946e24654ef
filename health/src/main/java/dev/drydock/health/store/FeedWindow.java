package dev.drydock.health.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a feed has delivered and is not finished. The mark is the last position before which
 * everything is finished. It keeps nothing of what is finished, however much that is while one
 * change is not. Not thread-safe.
 */
final class FeedWindow {
  /** In order, each with the position before it. */
  private final Map<Change, Optional<String>> unfinished = new LinkedHashMap<>();

  private Optional<String> last = Optional.empty();

  /** A position that the consumer does not want to know of. */
  void skipped(String token) {
    last = Optional.of(token);
  }

  void delivered(Change change) {
    unfinished.putIfAbsent(change, last);
    last = Optional.of(change.token());
  }

  /** What is finished twice, or was never delivered, is ignored. */
  void finished(Change change) {
    unfinished.remove(change);
  }

  /** Empty before anything is finished. */
  Optional<String> mark() {
    return unfinished.values().stream().findFirst().orElse(last);
  }

  int inFlight() {
    return unfinished.size();
  }
}
