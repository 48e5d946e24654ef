package dev.drydock.health.remediation.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.decide.TrackedFault;
import dev.drydock.health.remediation.decide.DocumentVerdict.AfterAttempt;
import dev.drydock.health.remediation.decide.DocumentVerdict.Covered;
import dev.drydock.health.remediation.decide.DocumentVerdict.Refused;
import dev.drydock.health.remediation.decide.DocumentVerdict.Wants;
import dev.drydock.health.remediation.decide.RemediationAttempt.Outcome;
import dev.drydock.health.remediation.decide.RemediationNote.Kind;
import dev.drydock.health.remediation.decide.RemediationStep.Conclude;
import dev.drydock.health.remediation.decide.RemediationStep.Make;
import dev.drydock.health.remediation.decide.RemediationStep.Refusal;
import dev.drydock.health.remediation.decide.RemediationStep.Wait;
import dev.drydock.health.remediation.decide.RemediationStep.Withdraw;
import dev.drydock.health.remediation.decide.RemediationStep.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Decides what is done about the failures of a node that is drained. Attempts are counted before
 * they are made, each belongs to one quarantine, and what belongs to an earlier one is never acted
 * on.
 */
public final class RemediationDecider {
  /** After so long somebody should have taken notice of a resource. */
  public static final Duration SERVED_WITHIN = Duration.ofSeconds(30);

  private final RemediationActions actions;
  private final UnaryOperator<String> objectName;

  /**
   * @param objectName shortens a name that is too long for an object
   */
  public RemediationDecider(RemediationActions actions, UnaryOperator<String> objectName) {
    this.actions = actions;
    this.objectName = objectName;
  }

  public RemediationStep decide(RemediationFacts facts) {
    return progress(facts)
        .or(() -> earlierQuarantines(facts))
        .or(() -> facts.quarantine().flatMap(quarantine -> present(facts, quarantine)))
        .orElseGet(() -> waiting(facts));
  }

  /** What became of resources, whichever quarantine they were made for. */
  private static Optional<RemediationStep> progress(RemediationFacts facts) {
    return facts.journal().open().stream()
        .flatMap(attempt -> progress(facts, attempt).stream())
        .findFirst();
  }

  private static Optional<RemediationStep> progress(
      RemediationFacts facts, RemediationAttempt attempt) {
    return switch (facts.progress(attempt)) {
      case ResourceProgress.Unknown _ -> Optional.empty();
      case ResourceProgress.Absent() ->
          attempt.made()
              ? Optional.of(
                  ended(facts, attempt, AttemptEnd.gone(facts.now(), "it does not exist any more")))
              : Optional.empty();
      case ResourceProgress.Ended(AttemptEnd end) -> Optional.of(ended(facts, attempt, end));
      case ResourceProgress.Pending pending -> pending(facts, attempt, pending);
    };
  }

  private static Optional<RemediationStep> pending(
      RemediationFacts facts, RemediationAttempt attempt, ResourceProgress.Pending pending) {
    if (!attempt.made()) {
      Write made = made(facts.journal(), attempt);
      return Optional.of(
          facts.isPresent(attempt)
              ? made
              : new Write(made.journal(), Optional.empty(), made.notes()));
    }
    boolean unserved =
        !pending.served() && !facts.now().isBefore(pending.created().plus(SERVED_WITHIN));
    if (unserved == attempt.unserved()) {
      return Optional.empty();
    }
    RemediationAttempt marked = attempt.whenUnserved(unserved);
    return Optional.of(
        new Write(
            facts.journal().changed(attempt, _ -> marked),
            Optional.empty(),
            unserved ? List.of(new RemediationNote(Kind.UNSERVED, marked)) : List.of()));
  }

  /** What is written when a resource was made. */
  public static Write made(RemediationJournal journal, RemediationAttempt attempt) {
    RemediationAttempt made = attempt.whenMade();
    return new Write(
        journal.changed(attempt, _ -> made),
        Optional.of(StateLabel.REMEDIATION_SUCCEEDED),
        List.of(new RemediationNote(Kind.STARTED, made)));
  }

  private static RemediationStep ended(
      RemediationFacts facts, RemediationAttempt attempt, AttemptEnd end) {
    RemediationAttempt over = attempt.whenMade().ended(end);
    Kind kind =
        switch (end.result()) {
          case DONE -> Kind.DONE;
          case FAILED, FAILED_FOR_GOOD -> Kind.FAILED;
          case GONE -> Kind.GONE;
        };
    return new Write(
        facts.journal().changed(attempt, _ -> over),
        end.isFailure() && facts.isPresent(attempt)
            ? Optional.of(StateLabel.REMEDIATION_FAILED)
            : Optional.empty(),
        // of a quarantine that is over, it was taken back, or nobody waits for it any more
        over.outcome().isPresent() || (kind == Kind.GONE && !facts.isPresent(attempt))
            ? List.of()
            : List.of(new RemediationNote(kind, over)));
  }

  /** A quarantine is over: what was intended for it is not done any more. */
  private static Optional<RemediationStep> earlierQuarantines(RemediationFacts facts) {
    List<RemediationAttempt> earlier =
        facts.journal().attempts().stream()
            .filter(attempt -> attempt.outcome().isEmpty() && !facts.isPresent(attempt))
            .toList();
    for (RemediationAttempt attempt : earlier) {
      ResourceProgress progress = facts.progress(attempt);
      if (attempt.isOpen() && progress instanceof ResourceProgress.Unknown(String why)) {
        return Optional.of(new Wait(attempt.resource() + ": " + why, Optional.empty()));
      }
      if (attempt.isOpen()
          && progress instanceof ResourceProgress.Pending pending
          && pending.idle()) {
        return Optional.of(new Withdraw(attempt));
      }
    }
    return earlier.isEmpty() ? Optional.empty() : Optional.of(concluded(facts, earlier));
  }

  private static RemediationStep concluded(
      RemediationFacts facts, List<RemediationAttempt> earlier) {
    RemediationJournal journal = facts.journal();
    List<RemediationNote> notes = new ArrayList<>();
    for (RemediationAttempt attempt : earlier) {
      boolean cancelled = facts.cancelled().contains(attempt.episode());
      RemediationAttempt after =
          attempt.concluded(
              new Outcome(
                  facts.now(), cancelled ? Outcome.Result.CANCELLED : Outcome.Result.RECOVERED));
      if (!after.made()) {
        after = after.ended(AttemptEnd.gone(facts.now(), "the quarantine ended before"));
      }
      RemediationAttempt known = after;
      journal = journal.changed(attempt, _ -> known);
      notes.add(new RemediationNote(cancelled ? Kind.CANCELLED : Kind.RECOVERED, after));
    }
    // one is told of for each quarantine: the last, which was there when the node came back
    Map<String, RemediationNote> last = new LinkedHashMap<>();
    notes.forEach(note -> last.put(note.attempt().episode(), note));
    return new Write(journal, Optional.empty(), List.copyOf(last.values()));
  }

  private Optional<RemediationStep> present(RemediationFacts facts, Quarantine quarantine) {
    DocumentJudge judge = new DocumentJudge(actions, quarantine, facts.journal(), facts.now());
    Map<RemediationDocument, DocumentVerdict> verdicts = new LinkedHashMap<>();
    facts.documents().forEach(document -> verdicts.put(document, judge.judge(document)));
    return planned(facts, quarantine)
        .or(() -> conclude(verdicts))
        .or(() -> begin(facts, quarantine, verdicts))
        .or(() -> label(facts, verdicts));
  }

  /** An attempt that was counted, and not made. */
  private Optional<RemediationStep> planned(RemediationFacts facts, Quarantine quarantine) {
    return facts.journal().open().stream()
        .filter(attempt -> !attempt.made() && facts.isPresent(attempt))
        .filter(attempt -> facts.progress(attempt) instanceof ResourceProgress.Absent)
        .findFirst()
        .flatMap(attempt -> planned(facts, quarantine, attempt));
  }

  private Optional<RemediationStep> planned(
      RemediationFacts facts, Quarantine quarantine, RemediationAttempt attempt) {
    Optional<HealthEvent> event =
        event(facts, quarantine, attempt.event()).filter(quarantine::tracksPartOf);
    Optional<RemediationAction> action = event.flatMap(actions::find);
    if (action.isEmpty()) {
      return Optional.of(
          new Write(
              facts
                  .journal()
                  .changed(
                      attempt,
                      each ->
                          each.ended(
                              AttemptEnd.gone(
                                  facts.now(), "nothing is to be made for it any more"))),
              Optional.empty(),
              List.of()));
    }
    return facts.stopped().isPresent()
        ? Optional.empty()
        : Optional.of(new Make(attempt, action.get(), event.get()));
  }

  private static Optional<HealthEvent> event(
      RemediationFacts facts, Quarantine quarantine, String id) {
    return Stream.concat(
            facts.documents().stream().map(RemediationDocument::event),
            quarantine.faults().stream().map(TrackedFault::event))
        .filter(event -> event.id().equals(id))
        .findFirst();
  }

  private static Optional<RemediationStep> conclude(
      Map<RemediationDocument, DocumentVerdict> verdicts) {
    Map<String, Optional<Refusal>> changed = new LinkedHashMap<>();
    verdicts.forEach(
        (document, verdict) -> {
          switch (verdict) {
            case Covered(RemediationAttempt attempt) -> {
              if (attempt.made() && !document.remediated().equals(Optional.of(true))) {
                changed.put(document.id(), Optional.empty());
              }
            }
            case Refused refused -> {
              if (!document.remediated().equals(Optional.of(false))) {
                changed.put(document.id(), Optional.of(refused.why()));
              }
            }
            case DocumentVerdict.Skip _, AfterAttempt _, Wants _ -> {}
          }
        });
    return changed.isEmpty() ? Optional.empty() : Optional.of(new Conclude(changed));
  }

  private Optional<RemediationStep> begin(
      RemediationFacts facts,
      Quarantine quarantine,
      Map<RemediationDocument, DocumentVerdict> verdicts) {
    if (facts.stopped().isPresent()) {
      return Optional.empty();
    }
    return verdicts.entrySet().stream()
        .flatMap(
            entry ->
                entry.getValue() instanceof Wants wants
                    ? Stream.of(begin(facts, quarantine, entry.getKey(), wants))
                    : Stream.empty())
        .findFirst();
  }

  private RemediationStep begin(
      RemediationFacts facts, Quarantine quarantine, RemediationDocument document, Wants wants) {
    int number =
        1
            + facts
                .journal()
                .last(quarantine.episode(), wants.group())
                .map(RemediationAttempt::number)
                .orElse(0);
    RemediationAttempt attempt =
        RemediationAttempt.planned(
            quarantine.episode(),
            wants.group(),
            number,
            document.event().effectiveAction(),
            new MaintenanceReference(wants.action().kind(), name(facts, document.id(), number)),
            document.id(),
            facts.now());
    return new Write(facts.journal().with(attempt), Optional.of(StateLabel.REMEDIATING), List.of());
  }

  /** Another resource for the same event has its number at the end. */
  private String name(RemediationFacts facts, String event, int number) {
    boolean again =
        facts.journal().attempts().stream().anyMatch(attempt -> attempt.event().equals(event));
    String name = "maintenance-%s-%s%s".formatted(facts.node(), event, again ? "-" + number : "");
    return objectName.apply(name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-"));
  }

  /** Brought in line with the failures that are left, as after a partial recovery. */
  private static Optional<RemediationStep> label(
      RemediationFacts facts, Map<RemediationDocument, DocumentVerdict> verdicts) {
    boolean failed = verdicts.values().stream().anyMatch(Refused.class::isInstance);
    List<RemediationAttempt> covering =
        verdicts.values().stream()
            .flatMap(
                verdict ->
                    switch (verdict) {
                      case Covered(RemediationAttempt attempt) -> Stream.of(attempt);
                      case AfterAttempt(RemediationAttempt attempt) -> Stream.of(attempt);
                      default -> Stream.empty();
                    })
            .filter(facts::isPresent)
            .toList();
    if (!failed && covering.isEmpty()) {
      return Optional.empty();
    }
    StateLabel wanted =
        failed || covering.stream().anyMatch(attempt -> !attempt.problem().isEmpty())
            ? StateLabel.REMEDIATION_FAILED
            : covering.stream().allMatch(RemediationAttempt::made)
                ? StateLabel.REMEDIATION_SUCCEEDED
                : StateLabel.REMEDIATING;
    // draining belongs to the drain of another failure
    boolean fits =
        facts.label().equals(wanted.word()) || facts.label().equals(StateLabel.DRAINING.word());
    return fits
        ? Optional.empty()
        : Optional.of(new Write(facts.journal(), Optional.of(wanted), List.of()));
  }

  private RemediationStep waiting(RemediationFacts facts) {
    List<Instant> times = new ArrayList<>();
    for (RemediationAttempt attempt : facts.journal().open()) {
      if (facts.progress(attempt) instanceof ResourceProgress.Pending pending
          && !pending.served()
          && !attempt.unserved()) {
        times.add(pending.created().plus(SERVED_WITHIN));
      }
    }
    facts.quarantine().ifPresent(quarantine -> times.addAll(retries(facts, quarantine)));
    String why =
        facts
            .stopped()
            .filter(_ -> facts.quarantine().isPresent())
            .orElseGet(
                () ->
                    facts.journal().open().isEmpty()
                        ? ""
                        : facts.journal().open().getLast().resource().toString());
    return new Wait(why, times.stream().min(Comparator.naturalOrder()));
  }

  private List<Instant> retries(RemediationFacts facts, Quarantine quarantine) {
    DocumentJudge judge = new DocumentJudge(actions, quarantine, facts.journal(), facts.now());
    return facts.documents().stream()
        .map(judge::judge)
        .flatMap(
            verdict ->
                verdict instanceof Refused refused ? refused.retry().stream() : Stream.empty())
        .toList();
  }
}
