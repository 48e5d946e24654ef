package dev.drydock.health.remediation;

import dev.drydock.health.remediation.decide.AttemptEnd;
import dev.drydock.health.remediation.decide.RemediationAttempt;
import dev.drydock.health.remediation.decide.RemediationDocument;
import dev.drydock.health.remediation.decide.RemediationNote;
import dev.drydock.health.remediation.decide.RemediationStep.Refusal;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.EventRecorder.Occurrence;
import dev.drydock.kube.Resource;

/** Tells people what is done about a node, in Events of the Node. */
final class RemediationNotes {
  private static final String ACTION = "Remediate";

  private final EventRecorder events;

  RemediationNotes(EventRecorder events) {
    this.events = events;
  }

  void record(RemediationNodeObject node, RemediationNote note) {
    record(node, new Occurrence(note.kind().isWarning(), note.kind().reason(), ACTION), text(note));
  }

  void refused(RemediationNodeObject node, RemediationDocument document, Refusal why) {
    String because =
        switch (why) {
          case UNSUPPORTED ->
              "no resource is configured for action %s"
                  .formatted(document.event().effectiveAction());
          case NO_ENTITY -> "the event names no entity of the type that its resource is for";
          case EXHAUSTED -> "as many resources were made as may be; a person has to look at it";
          case FAILED -> "its resource failed";
        };
    record(
        node,
        new Occurrence(true, "RemediationRefused", ACTION),
        "%s (event %s): %s".formatted(document.event().checkName(), document.id(), because));
  }

  void problem(RemediationNodeObject node, RemediationAttempt attempt, String why) {
    record(
        node,
        new Occurrence(true, RemediationNote.Kind.FAILED.reason(), ACTION),
        "%s cannot be made: %s".formatted(attempt.resource(), why));
  }

  private void record(RemediationNodeObject node, Occurrence occurrence, String text) {
    events.record(node.object().regarding(Resource.NODES), occurrence, text);
  }

  static String text(RemediationNote note) {
    RemediationAttempt attempt = note.attempt();
    String message =
        attempt
            .end()
            .map(AttemptEnd::message)
            .filter(text -> !text.isEmpty())
            .map(": "::concat)
            .orElse("");
    return switch (note.kind()) {
      case STARTED -> started(attempt);
      case DONE -> attempt.resource() + " is done; a healthy event returns the node";
      case FAILED -> attempt.resource() + " failed" + message;
      case GONE -> attempt.resource() + " ended without a result" + message;
      case UNSERVED ->
          "%s: no controller has taken notice of it; install one for %s"
              .formatted(attempt.resource(), attempt.resource().kind().kind());
      case RECOVERED ->
          "healthy again after %s, attempt %d".formatted(attempt.resource(), attempt.number());
      case CANCELLED ->
          "a person has ended the quarantine that %s was for".formatted(attempt.resource());
    };
  }

  static String started(RemediationAttempt attempt) {
    return "%s was made because of %s (event %s), attempt %d in quarantine %s"
        .formatted(
            attempt.resource(),
            attempt.action(),
            attempt.event(),
            attempt.number(),
            attempt.episode());
  }
}
