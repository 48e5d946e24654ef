package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.decide.QuarantineDecision.Change;
import dev.drydock.health.decide.QuarantineDecision.Ignore;
import dev.drydock.health.decide.QuarantineDecision.Kind;
import dev.drydock.health.decide.QuarantineDecision.Reason;
import dev.drydock.health.decide.QuarantineDecision.Repeat;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides what an event does to the quarantine of its node. */
public final class QuarantineDecider {
  private QuarantineDecider() {}

  public static QuarantineDecision decide(QuarantineState state, Incoming incoming, Instant now) {
    HealthEvent event = incoming.event();
    HealthStatus before = state.last().get(event.id());
    if (before != null) {
      return new Repeat(before, state.lastEpisode());
    }
    return event.isHealthy() ? healthy(state, incoming) : unhealthy(state, incoming, now);
  }

  private static QuarantineDecision unhealthy(
      QuarantineState state, Incoming incoming, Instant now) {
    Optional<Quarantine> present = state.quarantine();
    if (present.filter(quarantine -> quarantine.tracks(incoming.event().id())).isPresent()) {
      String episode = present.get().episode();
      boolean first = episode.equals(incoming.event().id());
      return new Repeat(
          first ? HealthStatus.QUARANTINED : HealthStatus.ALREADY_QUARANTINED, episode);
    }
    if (incoming.matched().isEmpty() && !incoming.isForced()) {
      return new Ignore(Reason.NO_RULE_MATCHES);
    }
    if (present.isEmpty()) {
      Quarantine begun = Quarantine.begun(incoming.fault(), now);
      return new Change(Kind.BEGIN, HealthStatus.QUARANTINED, begun.episode(), state.with(begun));
    }
    Quarantine merged = present.get().with(incoming.fault());
    boolean covered = merged.equals(present.get());
    String id = incoming.event().id();
    return new Change(
        Kind.MERGE,
        HealthStatus.ALREADY_QUARANTINED,
        merged.episode(),
        covered
            ? state.then(present, merged.episode(), id, HealthStatus.ALREADY_QUARANTINED)
            : state.with(merged));
  }

  private static QuarantineDecision healthy(QuarantineState state, Incoming incoming) {
    if (state.quarantine().isEmpty()) {
      return new Ignore(Reason.HEALTHY_NODE);
    }
    Quarantine quarantine = state.quarantine().get();
    List<TrackedFault> left = quarantine.without(incoming);
    if (left.equals(quarantine.faults())) {
      return new Ignore(Reason.NOT_TRACKED);
    }
    boolean over = left.isEmpty();
    HealthStatus status = over ? HealthStatus.UN_QUARANTINED : HealthStatus.ALREADY_QUARANTINED;
    Optional<Quarantine> after =
        over
            ? Optional.empty()
            : Optional.of(new Quarantine(quarantine.episode(), quarantine.since(), left));
    return new Change(
        over ? Kind.END : Kind.PARTIAL_RECOVERY,
        status,
        quarantine.episode(),
        forgotten(state, quarantine, left)
            .then(after, quarantine.episode(), incoming.event().id(), status));
  }

  /** Failures that came with the same write and are cleared already: their outcome stays known. */
  private static QuarantineState forgotten(
      QuarantineState state, Quarantine quarantine, List<TrackedFault> left) {
    QuarantineState known = state;
    List<String> kept = left.stream().map(fault -> fault.event().id()).toList();
    for (TrackedFault fault : quarantine.faults()) {
      String id = fault.event().id();
      if (!kept.contains(id)) {
        boolean first = id.equals(quarantine.episode());
        known =
            known.then(
                state.quarantine(),
                quarantine.episode(),
                id,
                first ? HealthStatus.QUARANTINED : HealthStatus.ALREADY_QUARANTINED);
      }
    }
    return known;
  }
}
