package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is known about a node's quarantine, all of it kept on the Node.
 *
 * @param last the outcomes that the last write brought and that cannot be told from the failures
 *     any more, by event: the process may have died before it could store them
 * @param lastEpisode of those outcomes
 */
public record QuarantineState(
    Optional<Quarantine> quarantine, Map<String, HealthStatus> last, String lastEpisode) {
  public static final QuarantineState NONE = new QuarantineState(Optional.empty(), Map.of(), "");

  public QuarantineState {
    last = Map.copyOf(last);
  }

  public static QuarantineState of(Quarantine quarantine) {
    return new QuarantineState(Optional.of(quarantine), Map.of(), "");
  }

  /** For the first event of a new write: what the write before it brought is stored by then. */
  public QuarantineState settled() {
    return new QuarantineState(quarantine, Map.of(), "");
  }

  QuarantineState then(Optional<Quarantine> after, String episode, String id, HealthStatus status) {
    Map<String, HealthStatus> outcomes = new LinkedHashMap<>(last);
    outcomes.put(id, status);
    return new QuarantineState(after, outcomes, episode);
  }

  QuarantineState with(Quarantine after) {
    return new QuarantineState(Optional.of(after), last, lastEpisode);
  }
}
