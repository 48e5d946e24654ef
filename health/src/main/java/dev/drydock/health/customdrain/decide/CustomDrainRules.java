package dev.drydock.health.customdrain.decide;

import java.time.Duration;

/**
 * When a drain by another controller has come to its end.
 *
 * @param timeout from the creation of its resource
 * @param proceeds whether a drain that takes longer counts as done
 */
public record CustomDrainRules(
    Reported complete, Reported failed, Duration timeout, boolean proceeds) {
  /** A condition that the other controller sets. */
  public record Reported(String type, String status) {}
}
