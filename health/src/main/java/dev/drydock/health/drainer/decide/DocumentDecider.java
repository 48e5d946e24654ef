package dev.drydock.health.drainer.decide;

import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.decide.StateLabel;
import java.util.Collection;
import java.util.Optional;

/** Decides what an event means for the drain of its node. */
public final class DocumentDecider {
  public static final String NO_DEVICE =
      "a partial drain needs an entity of type GPU_UUID with a value";

  private DocumentDecider() {}

  /** What comes of an event. */
  public sealed interface Verdict {
    /** Nothing. */
    record Ignore() implements Verdict {}

    /** Its node is to be drained. */
    record Drain() implements Verdict {}

    /** It has come to its end. */
    record Conclude(HealthStatus status, String message) implements Verdict {}

    /** It seems to be over, but the node has to be read to be certain. */
    record AskNode() implements Verdict {}
  }

  /**
   * Looks at one event.
   *
   * @param drained the scopes that were drained in the same quarantine
   */
  public static Verdict decide(
      DrainDocument document, QuarantineFacts facts, Collection<DrainScope> drained) {
    if (document.isEnded()) {
      return new Verdict.Ignore();
    }
    if (HealthStatus.CANCELLED.is(document.word())) {
      return cancelled("the quarantine was ended by hand");
    }
    if (document.endsQuarantine()) {
      return new Verdict.Conclude(HealthStatus.SUCCEEDED, "the quarantine is over");
    }
    if (!document.isQuarantine()) {
      return new Verdict.Ignore();
    }
    if (facts.isOver(document)) {
      return cancelled("the node has recovered");
    }
    boolean gone = !facts.exists() || facts.isStale(document);
    if (gone && !facts.certain()) {
      return new Verdict.AskNode();
    }
    if (gone) {
      return cancelled(facts.exists() ? "the quarantine is over" : "the node is gone");
    }
    return open(document, drained);
  }

  private static Verdict open(DrainDocument document, Collection<DrainScope> drained) {
    if (document.healthy()) {
      return skipped("a part of the node has recovered; there is nothing to drain for");
    }
    if (document.wish() == DrainDocument.Wish.SKIP) {
      return skipped("the event says to skip the drain");
    }
    if (document.scope() instanceof DrainScope.Unusable) {
      return new Verdict.Conclude(HealthStatus.FAILED, NO_DEVICE);
    }
    boolean covered = drained.stream().anyMatch(scope -> scope.covers(document.scope()));
    return covered ? skipped("the node was drained for an earlier event") : new Verdict.Drain();
  }

  private static Verdict skipped(String why) {
    return new Verdict.Conclude(HealthStatus.ALREADY_DRAINED, why);
  }

  private static Verdict cancelled(String why) {
    return new Verdict.Conclude(HealthStatus.CANCELLED, why);
  }

  /**
   * The label that a node in quarantine should have by its events, if a process died before it
   * could write it. Empty if the present label is right.
   *
   * @param ended events of the same quarantine whose drains have ended
   */
  public static Optional<StateLabel> missingLabel(
      Optional<StateLabel> present, Collection<DrainDocument> ended) {
    boolean before =
        present.isEmpty()
            || present.get() == StateLabel.QUARANTINED
            || present.get() == StateLabel.DRAINING;
    if (!before) {
      return Optional.empty();
    }
    if (ended.stream().anyMatch(DrainDocument::isDrained)) {
      return Optional.of(StateLabel.DRAIN_SUCCEEDED);
    }
    return ended.stream().anyMatch(document -> HealthStatus.FAILED.is(document.drain()))
        ? Optional.of(StateLabel.DRAIN_FAILED)
        : Optional.empty();
  }
}
