package dev.drydock.sim.kubelet;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The API's timestamp format: whole seconds. */
final class Stamps {
  private Stamps() {}

  static String seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
