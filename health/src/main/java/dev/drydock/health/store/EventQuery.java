package dev.drydock.health.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Chooses stored events. Every query is bounded.
 *
 * @param node only events of this node
 * @param nodeQuarantined only events with one of these words there; empty for all. The empty word
 *     stands for events of which nothing is known yet.
 * @param since only events created at or after
 * @param after only events that come after this one, in the order of the query: the next page
 * @param newestFirst instead of oldest first
 * @param limit the most events that are returned
 */
public record EventQuery(
    Optional<String> node,
    List<String> nodeQuarantined,
    Optional<Instant> since,
    Optional<StoredEvent> after,
    boolean newestFirst,
    int limit) {
  public static final int DEFAULT_LIMIT = 1000;

  public static final EventQuery ALL =
      new EventQuery(
          Optional.empty(), List.of(), Optional.empty(), Optional.empty(), false, DEFAULT_LIMIT);

  public EventQuery {
    nodeQuarantined = List.copyOf(nodeQuarantined);
    if (limit < 1 || limit > 100_000) {
      throw new IllegalArgumentException("a query's limit is from 1 to 100000, not " + limit);
    }
  }

  public EventQuery ofNode(String name) {
    return new EventQuery(Optional.of(name), nodeQuarantined, since, after, newestFirst, limit);
  }

  public EventQuery withNodeQuarantined(String... words) {
    return new EventQuery(node, List.of(words), since, after, newestFirst, limit);
  }

  public EventQuery createdSince(Instant time) {
    return new EventQuery(node, nodeQuarantined, Optional.of(time), after, newestFirst, limit);
  }

  public EventQuery after(StoredEvent event) {
    return new EventQuery(node, nodeQuarantined, since, Optional.of(event), newestFirst, limit);
  }

  public EventQuery newest() {
    return new EventQuery(node, nodeQuarantined, since, after, true, limit);
  }

  public EventQuery atMost(int number) {
    return new EventQuery(node, nodeQuarantined, since, after, newestFirst, number);
  }
}
