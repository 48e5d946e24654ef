package dev.drydock.health.drainer.decide;

import dev.drydock.contracts.health.HealthStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;

/**
 * What drains need to know of a stored event.
 *
 * @param quarantined when its node was quarantined for it; its creation if that is not known
 * @param word what became of its quarantine
 * @param drain what became of its drain; empty if nothing yet
 * @param message about the drain
 * @param episode of the quarantine; empty if another program wrote it
 * @param wish what the monitor wants regardless of the configuration
 */
public record DrainDocument(
    String id,
    Instant created,
    Instant quarantined,
    String word,
    String drain,
    String message,
    String episode,
    String checkName,
    boolean healthy,
    Wish wish,
    DrainScope scope) {
  private static final Set<String> ENDS =
      Set.of(
          HealthStatus.SUCCEEDED.word(),
          HealthStatus.FAILED.word(),
          HealthStatus.CANCELLED.word(),
          HealthStatus.ALREADY_DRAINED.word());

  /** Oldest first. */
  public static final Comparator<DrainDocument> AGE =
      Comparator.comparing(DrainDocument::created).thenComparing(DrainDocument::id);

  /** What the monitor wants. */
  public enum Wish {
    NONE,
    FORCE,
    SKIP
  }

  public boolean isEnded() {
    return ENDS.contains(drain);
  }

  public boolean isDrained() {
    return HealthStatus.SUCCEEDED.is(drain);
  }

  /** Whether somebody wants its node out of service. */
  public boolean isQuarantine() {
    return HealthStatus.QUARANTINED.is(word) || HealthStatus.ALREADY_QUARANTINED.is(word);
  }

  public boolean endsQuarantine() {
    return HealthStatus.UN_QUARANTINED.is(word);
  }

  /** A copy with another state of its drain. */
  public DrainDocument with(HealthStatus status, String why) {
    return new DrainDocument(
        id,
        created,
        quarantined,
        word,
        status.word(),
        why,
        episode,
        checkName,
        healthy,
        wish,
        scope);
  }
}
