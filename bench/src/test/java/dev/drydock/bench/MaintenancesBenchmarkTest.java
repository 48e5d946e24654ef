package dev.drydock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class MaintenancesBenchmarkTest {
  @Test
  void whatIsWrittenToTheWarmUpNeverCounts() {
    List<AuditLog.Request> requests =
        List.of(
            request("patch", "notifymaintenances", "warm-up"),
            request("patch", "notifymaintenances/status", "warm-up"),
            request("get", "notifymaintenances", "m-0"),
            request("patch", "notifymaintenances", "m-0"),
            request("patch", "notifymaintenances/status", "m-0"),
            request("patch", "notifymaintenances/status", "m-1"));

    assertThat(MaintenancesBenchmark.writes(requests))
        .containsOnly(entry("notifymaintenances", 1L), entry("notifymaintenances/status", 2L));
  }

  private static AuditLog.Request request(String verb, String resource, String object) {
    return new AuditLog.Request(Instant.EPOCH, verb, resource, object, 200);
  }
}
