package dev.drydock.health.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a feed has read, in order, and what of it is finished. The mark is the last position before
 * which everything is finished. Not thread-safe.
 */
final class FeedWindow {
  private static final class Entry {
    private final String token;
    private boolean finished;

    private Entry(String token, boolean finished) {
      this.token = token;
      this.finished = finished;
    }
  }

  private final Deque<Entry> entries = new ArrayDeque<>();
  private final Map<Change, Entry> delivered = new HashMap<>();
  private Optional<String> mark = Optional.empty();

  /** A position that the consumer does not want to know of. */
  void skipped(String token) {
    entries.add(new Entry(token, true));
    advance();
  }

  void delivered(Change change) {
    Entry entry = new Entry(change.token(), false);
    entries.add(entry);
    delivered.put(change, entry);
  }

  /** What is finished twice, or was never delivered, is ignored. */
  void finished(Change change) {
    Entry entry = delivered.remove(change);
    if (entry != null) {
      entry.finished = true;
      advance();
    }
  }

  private void advance() {
    while (!entries.isEmpty() && entries.getFirst().finished) {
      mark = Optional.of(entries.removeFirst().token);
    }
  }

  /** Empty before anything is finished. */
  Optional<String> mark() {
    return mark;
  }

  int inFlight() {
    return delivered.size();
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }
}
