package dev.drydock.health.remediation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.remediation.decide.AttemptEnd;
import dev.drydock.health.remediation.decide.RemediationAttempt;
import dev.drydock.health.remediation.decide.RemediationAttempt.Outcome;
import dev.drydock.health.remediation.decide.RemediationJournal;
import dev.drydock.health.remediation.decide.RemediationNote;
import dev.drydock.health.remediation.decide.RemediationNote.Kind;
import dev.drydock.kube.Resource;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryPhase;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code drydock status} and {@code drydock history} say about remediation. */
public final class RemediationView {
  private static final String KIND = "Remediation";
  private static final String WHO = "node";

  private RemediationView() {}

  /** Only nodes that are in quarantine are read. */
  public static StatusPart status() {
    return new StatusPart(
        KIND,
        StatusEntry.DRAIN,
        Resource.NODES.all().labelSelector(HealthNames.STATE_LABEL),
        RemediationView::entry);
  }

  private static @Nullable StatusEntry entry(JsonNode object) {
    RemediationNodeObject node = RemediationNodeObject.read(object, Map.of());
    List<RemediationAttempt> present =
        node.quarantine()
            .map(quarantine -> node.journal().ofEpisode(quarantine.episode()))
            .orElse(List.of());
    return present.isEmpty()
        ? null
        : new StatusEntry(
            node.name(),
            KIND,
            StatusEntry.DRAIN,
            Optional.empty(),
            present.getFirst().at(),
            Optional.empty(),
            "",
            Optional.empty(),
            List.of(waits(present.getLast())));
  }

  private static String waits(RemediationAttempt attempt) {
    String resource =
        "%s (%s, attempt %d)".formatted(attempt.resource(), attempt.action(), attempt.number());
    if (!attempt.problem().isEmpty()) {
      return "%s, which cannot be made: %s".formatted(resource, attempt.problem());
    }
    if (attempt.unserved()) {
      return "a controller of %s, which nobody serves".formatted(resource);
    }
    return attempt.end().map(end -> after(resource, end)).orElse(resource);
  }

  private static String after(String resource, AttemptEnd end) {
    return switch (end.result()) {
      case DONE -> "a healthy event: %s is done".formatted(resource);
      case FAILED, FAILED_FOR_GOOD ->
          "another attempt or a person: %s failed: %s".formatted(resource, end.message());
      case GONE -> "another failure or a person: %s ended without a result".formatted(resource);
    };
  }

  /** All attempts that the Node tells of: who did what to the node, and whether it helped. */
  public static List<HistoryPart> history(HistoryReader reader) {
    return reader
        .list("Nodes", Resource.NODES.named(reader.node()), RemediationView::steps)
        .stream()
        .filter(steps -> !steps.isEmpty())
        .map(steps -> new HistoryPart(HistoryPart.Scope.NODE, "", steps))
        .toList();
  }

  private static List<HistoryStep> steps(JsonNode object) {
    RemediationJournal journal = RemediationNodeObject.read(object, Map.of()).journal();
    List<HistoryStep> steps = new ArrayList<>();
    for (RemediationAttempt attempt : journal.attempts()) {
      if (attempt.made()) {
        steps.add(step(attempt.at(), Kind.STARTED, attempt));
      }
      attempt
          .end()
          .filter(_ -> attempt.made())
          .ifPresent(end -> steps.add(step(end.at(), kind(end), attempt)));
      attempt
          .outcome()
          .filter(_ -> attempt.made())
          .ifPresent(outcome -> steps.add(step(outcome.at(), kind(outcome), attempt)));
    }
    return steps;
  }

  private static Kind kind(AttemptEnd end) {
    return switch (end.result()) {
      case DONE -> Kind.DONE;
      case FAILED, FAILED_FOR_GOOD -> Kind.FAILED;
      case GONE -> Kind.GONE;
    };
  }

  private static Kind kind(Outcome outcome) {
    return outcome.result() == Outcome.Result.RECOVERED ? Kind.RECOVERED : Kind.CANCELLED;
  }

  private static HistoryStep step(Instant at, Kind kind, RemediationAttempt attempt) {
    return HistoryStep.of(
        at, WHO, kind.reason(), RemediationNotes.text(new RemediationNote(kind, attempt)));
  }

  /** Within one second: after the drain, and before the node is back. */
  public static Map<String, HistoryPhase> phases() {
    return Map.of(
        Kind.STARTED.reason(),
        HistoryPhase.DRAINED.after(),
        Kind.DONE.reason(),
        HistoryPhase.VALIDATING.after(),
        Kind.FAILED.reason(),
        HistoryPhase.INCOMPLETE.after(),
        Kind.GONE.reason(),
        HistoryPhase.INCOMPLETE.after(),
        Kind.RECOVERED.reason(),
        HistoryPhase.RELEASED.after(),
        Kind.CANCELLED.reason(),
        HistoryPhase.RELEASED.after());
  }
}
