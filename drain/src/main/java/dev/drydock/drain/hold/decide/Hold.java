package dev.drydock.drain.hold.decide;

import java.time.Instant;
import java.util.Optional;

/**
 * One reason to keep a node out of service.
 *
 * @param holder e.g. {@code notifymaintenance/ops/gpu-fw-17}; only the same holder can release it
 * @param until when it expires
 */
public record Hold(String holder, String reason, Instant since, Optional<Instant> until) {
  /** Represents a cordon that existed before the first hold. */
  public static final String EXTERNAL = "external";

  /** Followed by namespace and name of a NotifyMaintenance. */
  public static final String MAINTENANCE_PREFIX = "notifymaintenance/";

  public Hold {
    if (holder.isBlank() || !holder.strip().equals(holder) || holder.lines().count() != 1) {
      throw new IllegalArgumentException(
          "a hold needs a holder without spaces around it, not \"" + holder + "\"");
    }
    if (until.filter(end -> !end.isAfter(since)).isPresent()) {
      throw new IllegalArgumentException(
          "the hold of " + holder + " must end after it begins at " + since);
    }
  }

  public static Hold of(String holder, String reason, Instant since) {
    return new Hold(holder, reason, since, Optional.empty());
  }

  public Hold until(Instant end) {
    return new Hold(holder, reason, since, Optional.of(end));
  }
}
