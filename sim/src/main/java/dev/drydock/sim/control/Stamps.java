package dev.drydock.sim.control;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as objects carry them. */
final class Stamps {
  private Stamps() {}

  static String of(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
