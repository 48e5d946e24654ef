package dev.drydock.edge.decide;

import java.util.Arrays;
import java.util.Optional;

/** The state of a node's drain, by the numbers and texts of EVE's NodeDrainStatus. */
public enum NodeDrainState {
  UNKNOWN("Unknown"),
  NOTSUPPORTED("Not Supported"),
  NOTREQUESTED("Not Requested"),
  REQUESTED("Requested"),
  STARTING("Starting"),
  CORDONED("Cordoned"),
  FAILEDCORDON("Failed Cordon"),
  DRAINRETRYING("Drain Retrying"),
  FAILEDDRAIN("Failed Drain"),
  COMPLETE("Complete");

  private final String printed;

  NodeDrainState(String printed) {
    this.printed = printed;
  }

  /** Its number in the records: they are on the wire, so the order of this enum never changes. */
  public int number() {
    return ordinal();
  }

  public static Optional<NodeDrainState> of(int number) {
    return Arrays.stream(values()).filter(state -> state.number() == number).findFirst();
  }

  public boolean isFailed() {
    return this == FAILEDCORDON || this == FAILEDDRAIN;
  }

  /** From the request until the drain has failed or is complete. */
  public boolean isActive() {
    return switch (this) {
      case REQUESTED, STARTING, CORDONED, DRAINRETRYING -> true;
      case UNKNOWN, NOTSUPPORTED, NOTREQUESTED, FAILEDCORDON, FAILEDDRAIN, COMPLETE -> false;
    };
  }

  /** The line for the machine's console; empty if there is nothing to tell. */
  public Optional<String> consoleLine() {
    return switch (this) {
      case UNKNOWN, NOTSUPPORTED -> Optional.empty();
      case DRAINRETRYING -> Optional.of(line("WARNING"));
      case FAILEDCORDON, FAILEDDRAIN -> Optional.of(line("ERROR"));
      case NOTREQUESTED, REQUESTED, STARTING, CORDONED, COMPLETE -> Optional.of(line("INFO"));
    };
  }

  private String line(String level) {
    return level + ": Node Drain -> " + printed;
  }

  /** As EVE prints it. */
  @Override
  public String toString() {
    return printed;
  }
}
