package dev.drydock.serve.feature;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one object reports about one node.
 *
 * @param kind of the object
 * @param rank the entry with the highest rank determines the node's state; ties: the oldest
 * @param state of the node, if this object determines it
 * @param since when the state began
 * @param task its line among the node's maintenances, if it has one
 * @param eta the estimated time; empty if unknown
 * @param deadline when pods may be removed by force
 * @param waits lines that say what it waits for; a line that begins with another object's kind is
 *     omitted if that object has its own entry
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
  /** The rank of drains, below that of the tasks that request them. */
  public static final int DRAIN = 0;

  /** The lowest rank of tasks; the further a task has progressed, the higher its rank. */
  public static final int TASK = 100;

  public static final Comparator<StatusEntry> MOST_IMPORTANT_FIRST =
      Comparator.comparingInt(StatusEntry::rank).reversed().thenComparing(StatusEntry::since);

  /** A task on the node. */
  public record Task(
      String id, @Nullable String maintenanceClass, String namespace, String name, String state) {}
}
