package dev.drydock.serve.feature;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one object says about the service of one node.
 *
 * @param kind of the object
 * @param rank of those of a node the highest says what state the node is in, then the oldest
 * @param state of the node, if this object gives it one
 * @param since when that began
 * @param task how it is shown among the node's maintenances, if it is
 * @param eta how long it takes; empty if nobody said
 * @param deadline until when it is gentle
 * @param waits what it waits for; a line that begins with the kind of another object is left out
 *     where that object says it itself
 */
public record StatusEntry(
    String node,
    String kind,
    int rank,
    Optional<String> state,
    Instant since,
    Optional<Task> task,
    String eta,
    Optional<Instant> deadline,
    List<String> waits) {
  /** Of drains; what asks for drains stands above. */
  public static final int DRAIN = 0;

  /** Of tasks that do something with the node; the further one is the more it is above. */
  public static final int TASK = 100;

  public static final Comparator<StatusEntry> MOST_IMPORTANT_FIRST =
      Comparator.comparingInt(StatusEntry::rank).reversed().thenComparing(StatusEntry::since);

  /** Something that is done with the node. */
  public record Task(
      String id, @Nullable String maintenanceClass, String namespace, String name, String state) {}
}
