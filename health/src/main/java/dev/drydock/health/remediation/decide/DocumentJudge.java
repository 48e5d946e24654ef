package dev.drydock.health.remediation.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.remediation.decide.DocumentVerdict.AfterAttempt;
import dev.drydock.health.remediation.decide.DocumentVerdict.Covered;
import dev.drydock.health.remediation.decide.DocumentVerdict.Refused;
import dev.drydock.health.remediation.decide.DocumentVerdict.Skip;
import dev.drydock.health.remediation.decide.DocumentVerdict.Wants;
import dev.drydock.health.remediation.decide.RemediationStep.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Judges the events of one quarantine by what was done so far. */
record DocumentJudge(
    RemediationActions actions, Quarantine quarantine, RemediationJournal journal, Instant now) {
  private static final Duration FIRST_RETRY = Duration.ofMinutes(1);
  private static final Duration LAST_RETRY = Duration.ofHours(1);

  DocumentVerdict judge(RemediationDocument document) {
    HealthEvent event = document.event();
    if (!document.isOf(quarantine)
        || event.isHealthy()
        || event.recommendedAction().equals(RecommendedAction.NONE)
        || hasItsOwnMaintenance(event)) {
      return new Skip();
    }
    Optional<RemediationAction> action = actions.find(event);
    if (action.isEmpty()) {
      return new Refused(Refusal.UNSUPPORTED, Optional.empty());
    }
    return action
        .get()
        .groupOf(event)
        .map(group -> judge(document, action.get(), group))
        .orElseGet(() -> new Refused(Refusal.NO_ENTITY, Optional.empty()));
  }

  /** Whoever requested it has got a maintenance already. */
  private boolean hasItsOwnMaintenance(HealthEvent event) {
    return actions.otherwise().isPresent()
        && event.metadata().containsKey(HealthNames.MAINTENANCE_REQUEST_UID);
  }

  private DocumentVerdict judge(
      RemediationDocument document, RemediationAction action, String group) {
    Optional<RemediationAttempt> own = journal.last(quarantine.episode(), group);
    for (RemediationAttempt attempt : relevant(action, group)) {
      if (attempt.isOpen()) {
        return covers(attempt, attempt.at(), document)
            ? new Covered(attempt)
            : new AfterAttempt(attempt);
      }
      if (!attempt.isFailed() && covers(attempt, attempt.end().orElseThrow().effect(), document)) {
        return new Covered(attempt);
      }
    }
    return own.filter(RemediationAttempt::isFailed)
        .filter(failed -> document.created().compareTo(failed.end().orElseThrow().at()) <= 0)
        .map(failed -> afterFailure(failed, action, group))
        .orElseGet(
            () ->
                actions.isSpent(own.map(RemediationAttempt::number).orElse(0))
                    ? new Refused(Refusal.EXHAUSTED, Optional.empty())
                    : new Wants(action, group));
  }

  /** Newest first; those of an earlier quarantine count only while they may be under way. */
  private List<RemediationAttempt> relevant(RemediationAction action, String group) {
    List<String> groups = new ArrayList<>(action.superseding());
    groups.add(group);
    return journal.attempts().reversed().stream()
        .filter(attempt -> groups.contains(attempt.group()))
        .filter(attempt -> attempt.isOpen() || attempt.episode().equals(quarantine.episode()))
        .toList();
  }

  private static boolean covers(
      RemediationAttempt attempt, Instant effect, RemediationDocument document) {
    return attempt.event().equals(document.id()) || !document.created().isAfter(effect);
  }

  private DocumentVerdict afterFailure(
      RemediationAttempt failed, RemediationAction action, String group) {
    AttemptEnd end = failed.end().orElseThrow();
    if (actions.isSpent(failed.number())) {
      return new Refused(Refusal.EXHAUSTED, Optional.empty());
    }
    if (end.result() == AttemptEnd.Result.FAILED_FOR_GOOD) {
      return new Refused(Refusal.FAILED, Optional.empty());
    }
    Instant retry = end.at().plus(backoff(failed.number()));
    return now.isBefore(retry)
        ? new Refused(Refusal.FAILED, Optional.of(retry))
        : new Wants(action, group);
  }

  private static Duration backoff(int number) {
    Duration doubled = FIRST_RETRY.multipliedBy(1L << Math.min(number - 1, 10));
    return doubled.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : doubled;
  }
}
