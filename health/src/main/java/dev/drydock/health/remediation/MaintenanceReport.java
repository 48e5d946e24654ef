package dev.drydock.health.remediation;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.health.remediation.decide.AttemptEnd;
import dev.drydock.health.remediation.decide.AttemptEnd.Result;
import dev.drydock.health.remediation.decide.MaintenanceKind;
import dev.drydock.health.remediation.decide.ResourceProgress;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Fields;
import dev.drydock.kube.ServedCondition;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** Reads from a maintenance resource how far its work is. */
final class MaintenanceReport {
  /** The outcome of one attempt, where a controller reports it beside its completion. */
  private static final String ATTEMPT_COMPLETE = "AttemptComplete";

  private MaintenanceReport() {}

  /**
   * @param now for an end that does not say when it was
   */
  static ResourceProgress of(ApiObject object, MaintenanceKind kind, Instant now) {
    boolean ours =
        kind.kind().equals(NotifyMaintenance.KIND)
            && kind.apiGroup().equals(NotifyMaintenance.GROUP);
    return ours ? ofMaintenance(object, now) : ofCondition(object, kind, now);
  }

  private static ResourceProgress ofCondition(ApiObject object, MaintenanceKind kind, Instant now) {
    Conditions conditions = object.conditions();
    Optional<JsonNode> attempt =
        conditions.get(ATTEMPT_COMPLETE).filter(_ -> conditions.isTrue(ATTEMPT_COMPLETE));
    Optional<Result> result = attempt.flatMap(each -> result(text(each, "reason")));
    if (result.isPresent()) {
      return ended(conditions, attempt.orElseThrow(), result.get(), now);
    }
    Optional<JsonNode> complete = conditions.get(kind.completeCondition());
    String status = complete.map(each -> text(each, "status")).orElse("");
    return switch (status) {
      case Conditions.TRUE -> ended(conditions, complete.orElseThrow(), Result.DONE, now);
      case Conditions.FALSE -> ended(conditions, complete.orElseThrow(), Result.FAILED, now);
      default ->
          new ResourceProgress.Pending(object.created(), ServedCondition.isServed(object), false);
    };
  }

  private static Optional<Result> result(String reason) {
    return switch (reason) {
      case "Succeeded" -> Optional.of(Result.DONE);
      case "TransientFailure" -> Optional.of(Result.FAILED);
      case "PermanentFailure" -> Optional.of(Result.FAILED_FOR_GOOD);
      case "Superseded", "Cancelled" -> Optional.of(Result.GONE);
      default -> Optional.empty();
    };
  }

  private static ResourceProgress ended(
      Conditions conditions, JsonNode by, Result result, Instant now) {
    Instant at = time(by, now);
    Instant effect = result == Result.DONE ? effect(conditions, by, at) : at;
    String reason = text(by, "reason");
    String message = text(by, "message");
    return new ResourceProgress.Ended(
        new AttemptEnd(
            at,
            effect,
            result,
            reason.isEmpty() || message.isEmpty() ? reason + message : reason + ": " + message));
  }

  /**
   * When the last thing was done before the end: e.g. when a node was told to restart, and not when
   * it was ready again. Failures after that are new.
   */
  private static Instant effect(Conditions conditions, JsonNode by, Instant end) {
    return conditions.all().stream()
        .filter(each -> text(each, "status").equals(Conditions.TRUE))
        .filter(each -> !text(each, "type").equals(text(by, "type")))
        .map(each -> time(each, end))
        .filter(time -> !time.isAfter(end))
        .max(Comparator.naturalOrder())
        .orElse(end);
  }

  private static Instant time(JsonNode condition, Instant otherwise) {
    return text(condition, "lastTransitionTime").isEmpty()
        ? otherwise
        : Fields.time(condition, "lastTransitionTime");
  }

  private static ResourceProgress ofMaintenance(ApiObject object, Instant now) {
    Conditions conditions = object.conditions();
    MaintenanceState state = MaintenanceState.of(text(object.status(), "maintenanceStatus"));
    Optional<JsonNode> worked = conditions.get(MaintenanceNames.MAINTENANCE_CONDITION);
    Optional<JsonNode> validated =
        conditions
            .get(MaintenanceNames.VALIDATION_CONDITION)
            .filter(each -> text(each, "status").equals(MaintenanceNames.VALIDATED));
    if (validated.isPresent()) {
      Instant at = time(validated.get(), now);
      Instant effect = worked.map(each -> time(each, at)).orElse(at);
      return new ResourceProgress.Ended(new AttemptEnd(at, effect, Result.DONE, ""));
    }
    if (state == MaintenanceState.INCOMPLETE) {
      return new ResourceProgress.Ended(AttemptEnd.failed(now, lastStep(object.status())));
    }
    if (conditions
        .get(MaintenanceNames.COMPLETED_CONDITION)
        .filter(each -> text(each, "status").equals(MaintenanceNames.TRUE))
        .isPresent()) {
      return new ResourceProgress.Ended(
          AttemptEnd.gone(now, "the node was uncordoned before the work was done"));
    }
    boolean idle =
        switch (state) {
          case NONE, SCHEDULED, STARTED, SLA_EXPIRED -> true;
          case DRAINED -> worked.isEmpty();
          case VALIDATING, INCOMPLETE, UNKNOWN -> false;
        };
    return new ResourceProgress.Pending(
        object.created(), ServedCondition.isServed(object), idle && !object.deleted());
  }

  private static String lastStep(JsonNode status) {
    String message = "";
    for (JsonNode step : status.path("history")) {
      message = text(step, "message");
    }
    return message;
  }
}
