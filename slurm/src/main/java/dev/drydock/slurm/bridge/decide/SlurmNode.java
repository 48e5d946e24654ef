package dev.drydock.slurm.bridge.decide;

import java.util.List;
import java.util.Set;

/**
 * A node as Slurm describes it.
 *
 * @param states one base state, such as {@code IDLE}, and flags, such as {@code DRAIN}
 * @param reason why it is drained or down; may be empty
 */
public record SlurmNode(String name, List<String> states, String reason) {
  private static final String DRAIN = "DRAIN";

  /** States in which Slurm itself does not know what the node does. */
  private static final Set<String> UNKNOWN = Set.of("UNKNOWN", "INVALID");

  private static final Set<String> BUSY = Set.of("ALLOCATED", "MIXED", "COMPLETING");

  public SlurmNode {
    states = List.copyOf(states);
  }

  boolean isKnown() {
    return !states.isEmpty() && states.stream().noneMatch(UNKNOWN::contains);
  }

  public boolean isDrain() {
    return states.contains(DRAIN);
  }

  /** Whether jobs run on it. */
  public boolean isBusy() {
    return states.stream().anyMatch(BUSY::contains);
  }
}
