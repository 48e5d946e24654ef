package dev.drydock.health.customdrain.decide;

import java.time.Instant;

/** What is to be done for a drain that is left to another controller. */
public sealed interface CustomDrainStep {
  record Create() implements CustomDrainStep {}

  /**
   * Nothing to do.
   *
   * @param until when the time is over that the drain may take
   * @param why for people
   * @param misnamed whether somebody should look at the configuration
   */
  record Wait(Instant until, String why, boolean misnamed) implements CustomDrainStep {}

  /** The other controller has drained the node for this event. */
  record Complete(String message) implements CustomDrainStep {}

  /** It has drained the node for another event of the same quarantine. */
  record AlreadyDrained(String message) implements CustomDrainStep {}

  /**
   * It will not be drained.
   *
   * @param timeout whether it took too long
   */
  record Fail(String message, boolean timeout) implements CustomDrainStep {}
}
