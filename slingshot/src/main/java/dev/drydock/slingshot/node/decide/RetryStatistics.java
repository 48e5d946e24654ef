package dev.drydock.slingshot.node.decide;

import java.util.Map;

/**
 * What {@code cxi_rh} has counted for one NIC since it was started.
 *
 * @param values by the names of its files, e.g. {@code nacks}
 */
public record RetryStatistics(Map<String, Long> values) {
  public long nacks() {
    return values.getOrDefault("nacks", 0L);
  }

  public long timeouts() {
    return values.getOrDefault("spt_timeouts", 0L);
  }

  public long total() {
    return nacks() + timeouts();
  }

  /** Packets that are tracked now: the nearest that there is to retries that are pending. */
  public long pending() {
    return values.getOrDefault("spt_in_use", 0L);
  }
}
