package dev.drydock.lifecycle.decide;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether a driver that was found once is there.
 *
 * @param goneSince since when it cannot be called: its connection broke, or its registration was
 *     removed
 * @param deregistered when its registration was removed
 */
public record DriverPresence(Optional<Instant> goneSince, Optional<Instant> deregistered) {
  public static final DriverPresence CONNECTED =
      new DriverPresence(Optional.empty(), Optional.empty());

  public static DriverPresence deregistered(Instant since) {
    return new DriverPresence(Optional.of(since), Optional.of(since));
  }

  public boolean isConnected() {
    return goneSince.isEmpty();
  }

  /** It registered, but nobody answers where it said that it would. */
  boolean isSilent() {
    return goneSince.isPresent() && deregistered.isEmpty();
  }
}
