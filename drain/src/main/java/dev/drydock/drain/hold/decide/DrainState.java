package dev.drydock.drain.hold.decide;

import java.util.Arrays;

/**
 * The state of a drain, which the engine writes as the reason of {@code DrainInProgress} and {@code
 * Drained}: a closed set, part of the API.
 *
 * <p>Features that write these conditions too use other reasons that begin with {@code Drydock}.
 * The engine may overwrite their values, not the other way round while a drain runs or is done.
 * Nobody overwrites another writer's True.
 */
public enum DrainState {
  DrydockDraining(true, false, "Drydock is draining the node"),
  DrydockDrained(false, true, "all pods that had to leave are gone"),
  DrydockDrainRefused(false, false, "the policy does not allow some pods to be evicted"),
  DrydockDrainFailed(false, false, "the drain failed"),
  DrydockDrainCancelled(false, false, "the drain was cancelled"),
  DrydockReleased(false, false, "the node is back in service");

  private static final String PREFIX = "Drydock";

  private final boolean inProgress;
  private final boolean drained;
  private final String message;

  DrainState(boolean inProgress, boolean drained, String message) {
    this.inProgress = inProgress;
    this.drained = drained;
    this.message = message;
  }

  public boolean inProgress() {
    return inProgress;
  }

  public boolean drained() {
    return drained;
  }

  /** The state in words. */
  public String message() {
    return message;
  }

  /** Whether a condition with this reason was written by the engine. */
  public static boolean isReason(String reason) {
    return Arrays.stream(values()).anyMatch(state -> state.name().equals(reason));
  }

  /** Whether it was written by the engine or by a feature. */
  public static boolean isOurs(String reason) {
    return reason.startsWith(PREFIX);
  }
}
