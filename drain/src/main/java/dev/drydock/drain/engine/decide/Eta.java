package dev.drydock.drain.engine.decide;

import dev.drydock.contracts.GoDuration;
import java.time.Duration;
import java.util.Optional;

/**
 * The estimated time until the node is empty, as a range.
 *
 * @param atLeast if every pod stops as fast as observed before, or at once
 * @param atMost if every pod uses its whole grace period; absent if unknown
 */
public record Eta(Duration atLeast, Optional<Duration> atMost) {
  static final Eta NONE = new Eta(Duration.ZERO, Optional.of(Duration.ZERO));
  public static final Eta UNKNOWN = new Eta(Duration.ZERO, Optional.empty());

  @Override
  public String toString() {
    String least = GoDuration.words(atLeast);
    if (atMost.isEmpty()) {
      return least.equals("0s") ? "unknown" : least + " or more";
    }
    String most = GoDuration.words(atMost.get());
    return least.equals(most) ? most : least + " to " + most;
  }
}
