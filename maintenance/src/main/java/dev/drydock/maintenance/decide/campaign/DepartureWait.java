package dev.drydock.maintenance.decide.campaign;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that has to happen before a node leaves.
 *
 * @param until when it will have happened; absent if unknown
 */
public record DepartureWait(WaitReason reason, String message, Optional<Instant> until) {
  static DepartureWait of(WaitReason reason, String message) {
    return new DepartureWait(reason, message, Optional.empty());
  }
}
