package dev.drydock.sim.kubelet;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** How Kubernetes writes an instant in a status: to the second. */
final class Stamps {
  private Stamps() {}

  static String seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
