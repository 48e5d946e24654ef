package dev.drydock.health.remediation;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.health.remediation.decide.AttemptEnd;
import dev.drydock.health.remediation.decide.MaintenanceKind;
import dev.drydock.health.remediation.decide.MaintenanceReference;
import dev.drydock.health.remediation.decide.RemediationAttempt;
import dev.drydock.health.remediation.decide.RemediationAttempt.Outcome;
import dev.drydock.health.remediation.decide.RemediationJournal;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was done about a node, as annotations of it. */
final class RemediationAnnotations {
  private static final String GROUPS = "equivalenceGroups";

  /** All annotations of a Node share 256 KiB. */
  private static final int LONGEST_MESSAGE = 256;

  private RemediationAnnotations() {}

  static RemediationJournal readJournal(String text) throws IOException {
    List<RemediationAttempt> attempts = new ArrayList<>();
    try {
      Json.read(text).path("attempts").forEach(each -> attempts.add(attempt(each)));
    } catch (IllegalArgumentException malformed) {
      throw new IOException(malformed.getMessage(), malformed);
    }
    return new RemediationJournal(attempts);
  }

  private static RemediationAttempt attempt(JsonNode json) {
    JsonNode end = json.path("end");
    JsonNode outcome = json.path("outcome");
    return new RemediationAttempt(
        text(json, "episode"),
        text(json, "group"),
        Fields.count(json, "number"),
        text(json, "action"),
        reference(json),
        text(json, "event"),
        Fields.time(json, "at"),
        json.path("made").asBoolean(false),
        text(json, "problem"),
        json.path("unserved").asBoolean(false),
        end.isObject()
            ? Optional.of(
                new AttemptEnd(
                    Fields.time(end, "at"),
                    Fields.time(end, "effect"),
                    AttemptEnd.Result.valueOf(text(end, "result")),
                    text(end, "message")))
            : Optional.empty(),
        outcome.isObject()
            ? Optional.of(
                new Outcome(
                    Fields.time(outcome, "at"), Outcome.Result.valueOf(text(outcome, "result"))))
            : Optional.empty());
  }

  private static MaintenanceReference reference(JsonNode json) {
    return new MaintenanceReference(
        new MaintenanceKind(
            text(json, "apiGroup"),
            text(json, "version"),
            text(json, "kind"),
            text(json, "namespace"),
            text(json, "condition")),
        text(json, "name"));
  }

  static Optional<String> journal(RemediationJournal journal) {
    if (journal.attempts().isEmpty()) {
      return Optional.empty();
    }
    ObjectNode root = Json.object();
    ArrayNode attempts = root.putArray("attempts");
    journal.attempts().forEach(attempt -> put(attempts.addObject(), attempt));
    return Optional.of(root.toString());
  }

  private static void put(ObjectNode json, RemediationAttempt attempt) {
    MaintenanceKind kind = attempt.resource().kind();
    json.put("episode", attempt.episode()).put("group", attempt.group());
    json.put("number", attempt.number()).put("action", attempt.action());
    json.put("apiGroup", kind.apiGroup()).put("version", kind.version()).put("kind", kind.kind());
    json.put("namespace", kind.namespace()).put("condition", kind.completeCondition());
    json.put("name", attempt.resource().name()).put("event", attempt.event());
    json.put("at", attempt.at().toString()).put("made", attempt.made());
    if (!attempt.problem().isEmpty()) {
      json.put("problem", attempt.problem());
    }
    if (attempt.unserved()) {
      json.put("unserved", true);
    }
    attempt
        .end()
        .ifPresent(
            end ->
                json.putObject("end")
                    .put("at", end.at().toString())
                    .put("effect", end.effect().toString())
                    .put("result", end.result().name())
                    .put("message", ShortText.of(end.message(), LONGEST_MESSAGE)));
    attempt
        .outcome()
        .ifPresent(
            outcome ->
                json.putObject("outcome")
                    .put("at", outcome.at().toString())
                    .put("result", outcome.result().name()));
  }

  /** The original's annotation: the last resource of each group that has not failed. */
  static Optional<String> state(RemediationJournal journal, Optional<String> episode) {
    ObjectNode root = Json.object();
    ObjectNode groups = root.putObject(GROUPS);
    for (RemediationAttempt attempt : journal.ofEpisode(episode.orElse(""))) {
      MaintenanceKind kind = attempt.resource().kind();
      groups.remove(attempt.group());
      boolean failed =
          attempt.end().filter(end -> end.result() != AttemptEnd.Result.DONE).isPresent();
      if (!failed) {
        ObjectNode group = groups.putObject(attempt.group());
        group.put("maintenanceCR", attempt.resource().name());
        group.put("createdAt", attempt.at().toString());
        group.put("actionName", attempt.action());
        if (!kind.namespace().isEmpty()) {
          group.put("namespace", kind.namespace());
        }
        group.put("version", kind.version()).put("apiGroup", kind.apiGroup());
        group.put("kind", kind.kind());
      }
    }
    return groups.isEmpty() ? Optional.empty() : Optional.of(root.toString());
  }

  /**
   * What the original has made for the present quarantine.
   *
   * @param kinds by the name of the action, for what an older version wrote
   */
  static RemediationJournal readState(
      String text, String episode, Map<String, MaintenanceKind> kinds) throws IOException {
    List<RemediationAttempt> attempts = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : Json.read(text).path(GROUPS).properties()) {
      JsonNode group = entry.getValue();
      String action = text(group, "actionName");
      kind(group, Optional.ofNullable(kinds.get(action)))
          .ifPresent(
              kind ->
                  attempts.add(
                      RemediationAttempt.foreign(
                          episode,
                          entry.getKey(),
                          action,
                          new MaintenanceReference(kind, text(group, "maintenanceCR")),
                          Fields.time(group, "createdAt"))));
    }
    return new RemediationJournal(attempts);
  }

  private static Optional<MaintenanceKind> kind(JsonNode group, Optional<MaintenanceKind> known) {
    return group.hasNonNull("kind")
        ? Optional.of(
            new MaintenanceKind(
                text(group, "apiGroup"),
                text(group, "version"),
                text(group, "kind"),
                text(group, "namespace"),
                known.map(MaintenanceKind::completeCondition).orElse("")))
        : known;
  }
}
