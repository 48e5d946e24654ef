package dev.drydock.edge.decide;

import java.util.Arrays;
import java.util.Optional;

/** The state of a node's drain, by the numbers and texts of EVE's NodeDrainStatus. */
public enum NodeDrainState {
  UNKNOWN(0, "Unknown"),
  NOTSUPPORTED(1, "Not Supported"),
  NOTREQUESTED(2, "Not Requested"),
  REQUESTED(3, "Requested"),
  STARTING(4, "Starting"),
  CORDONED(5, "Cordoned"),
  FAILEDCORDON(6, "Failed Cordon"),
  DRAINRETRYING(7, "Drain Retrying"),
  FAILEDDRAIN(8, "Failed Drain"),
  COMPLETE(9, "Complete");

  private final int number;
  private final String printed;

  NodeDrainState(int number, String printed) {
    this.number = number;
    this.printed = printed;
  }

  /** Its number in the records. */
  public int number() {
    return number;
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

  /** The words that EVE prints. */
  @Override
  public String toString() {
    return printed;
  }
}
