package dev.drydock.health.remediation.decide;

import java.time.Instant;

/** How far the work of a maintenance resource is. */
public sealed interface ResourceProgress {
  /** Not known now. */
  record Unknown(String why) implements ResourceProgress {}

  /** It does not exist. */
  record Absent() implements ResourceProgress {}

  /**
   * Not begun, or under way.
   *
   * @param served whether a controller has taken notice of it
   * @param idle whether nothing has been done to the node yet, so that it can be taken back
   */
  record Pending(Instant created, boolean served, boolean idle) implements ResourceProgress {}

  /** It is over. */
  record Ended(AttemptEnd end) implements ResourceProgress {}
}
