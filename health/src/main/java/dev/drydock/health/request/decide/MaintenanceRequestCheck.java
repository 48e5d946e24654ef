package dev.drydock.health.request.decide;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides which MaintenanceRequests are accepted. */
public final class MaintenanceRequestCheck {
  private MaintenanceRequestCheck() {}

  /**
   * A new request.
   *
   * @param event whether it has one
   * @param startTime absent if it says none
   */
  public record Candidate(
      boolean event,
      String node,
      boolean nodeExists,
      boolean healthy,
      int version,
      Optional<Instant> startTime) {}

  /** One line for each thing that is wrong. */
  public static List<String> refusals(Candidate candidate, Instant now) {
    if (!candidate.event()) {
      return List.of("spec.healthEvent is required");
    }
    List<String> refusals = new ArrayList<>();
    if (candidate.node().isEmpty()) {
      refusals.add("spec.healthEvent.nodeName is required");
    } else if (!candidate.nodeExists()) {
      refusals.add(
          "spec.healthEvent.nodeName: node \"%s\" does not exist".formatted(candidate.node()));
    }
    if (candidate.healthy()) {
      refusals.add("spec.healthEvent.isHealthy must not be true: delete a request to end it");
    }
    if (candidate.version() == 0) {
      refusals.add("spec.healthEvent.version must not be 0; write 1");
    }
    candidate
        .startTime()
        .filter(time -> time.isBefore(now))
        .ifPresent(time -> refusals.add("spec.startTime: %s is in the past".formatted(time)));
    return refusals;
  }
}
