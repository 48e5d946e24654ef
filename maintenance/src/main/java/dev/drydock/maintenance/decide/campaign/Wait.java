package dev.drydock.maintenance.decide.campaign;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that has to happen before a node leaves.
 *
 * @param until when it will have happened; absent if that is up to others
 */
public record Wait(WaitReason reason, String message, Optional<Instant> until) {
  static Wait of(WaitReason reason, String message) {
    return new Wait(reason, message, Optional.empty());
  }
}
