package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.NameLists;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.MaintenanceEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The history entries of a maintenance with a class: the plan of its drain, the Jobs that ran. */
final class HistoryEntries {
  /** The number of blockers in a plan. */
  private static final int MOST_BLOCKERS = 3;

  private HistoryEntries() {}

  /** All entries, according to the caches. */
  static List<HistoryEntry> of(NotifyMaintenanceObject seen, ClassCaches classes) {
    List<HistoryEntry> entries = new ArrayList<>();
    MaintenanceState state = seen.facts().state();
    if (state == MaintenanceState.STARTED || state == MaintenanceState.SLA_EXPIRED) {
      classes
          .maintenanceClass(seen)
          .map(maintenanceClass -> DrainObject.of(maintenanceClass.spec().drain(), seen))
          .flatMap(wanted -> classes.drains().find(seen, wanted))
          .flatMap(request -> plan(seen.facts().node(), request))
          .ifPresent(entries::add);
    }
    classes.jobs().stream()
        .filter(job -> job.isOf(seen.facts().identity()))
        .sorted(Comparator.comparing(JobObject::created).thenComparing(JobObject::name))
        .forEach(job -> entries.addAll(of(job)));
    return entries;
  }

  /** Empty until the drainer has reported which pods must leave. */
  static Optional<HistoryEntry> plan(String node, JsonNode request) {
    JsonNode status = request.path("status");
    if (!status.path("podsLeft").isNumber()) {
      return Optional.empty();
    }
    int left = status.path("podsLeft").asInt();
    int all = left + status.path("podsGone").asInt();
    Instant at = time(request.path("metadata"), "creationTimestamp");
    return Optional.of(
        new HistoryEntry(
            MaintenanceEvent.DrainPlanned, at, pods(all, left, node) + details(status)));
  }

  private static String pods(int all, int left, String node) {
    String verb = left == 0 ? "had to" : "must";
    return switch (all) {
      case 0 -> "no pod %s leave node %s".formatted(verb, node);
      case 1 -> "1 pod %s leave node %s".formatted(verb, node);
      default -> "%d pods %s leave node %s".formatted(all, verb, node);
    };
  }

  private static String details(JsonNode status) {
    String eta = text(status, "eta");
    List<String> blockers =
        StreamSupport.stream(status.path("blockers").spliterator(), false)
            .map(blocker -> text(blocker, "message"))
            .toList();
    String named = NameLists.sentences(blockers, MOST_BLOCKERS);
    return (eta.isEmpty() ? "" : ", ETA " + eta)
        + (named.isEmpty() ? "" : "; blocked by: " + named);
  }

  static List<HistoryEntry> of(JobObject job) {
    String purpose = job.purpose() == Purpose.WORK ? "maintenance" : "validation";
    int number = job.attempt().number();
    String which =
        "%s Job %s/%s%s"
            .formatted(
                purpose, job.namespace(), job.name(), number == 1 ? "" : ", attempt " + number);
    HistoryEntry started = new HistoryEntry(MaintenanceEvent.JobStarted, job.created(), which);
    Attempt attempt = job.attempt();
    return switch (attempt.stage()) {
      case RUNNING -> List.of(started);
      case SUCCEEDED ->
          List.of(
              started,
              new HistoryEntry(
                  MaintenanceEvent.JobSucceeded,
                  attempt.finished(),
                  which
                      + ", after "
                      + GoDuration.words(Duration.between(job.created(), attempt.finished()))));
      case FAILED ->
          List.of(
              started,
              new HistoryEntry(
                  MaintenanceEvent.JobFailed,
                  attempt.finished(),
                  which + ": " + attempt.message()));
    };
  }

  /**
   * The entries that are not in its history yet. There is only one plan.
   *
   * @param full whether the oldest entries of the history may have been dropped
   */
  static List<HistoryEntry> untold(List<HistoryEntry> entries, JsonNode history, boolean full) {
    Set<String> told =
        StreamSupport.stream(history.spliterator(), false)
            .map(step -> key(text(step, "what"), text(step, "message")))
            .collect(Collectors.toSet());
    Instant oldest = full ? time(history.path(0), "at") : Instant.EPOCH;
    return entries.stream()
        .filter(entry -> !told.contains(key(entry.what().name(), entry.message())))
        .filter(entry -> !entry.at().isBefore(oldest))
        .toList();
  }

  private static String key(String what, String message) {
    return what.equals(MaintenanceEvent.DrainPlanned.name()) ? what : what + " " + message;
  }

  /** The entries that the later history has and the earlier one has not. */
  static List<HistoryEntry> between(JsonNode before, JsonNode after) {
    Set<JsonNode> known =
        StreamSupport.stream(before.spliterator(), false).collect(Collectors.toSet());
    List<HistoryEntry> entries = new ArrayList<>();
    for (JsonNode step : after) {
      if (!known.contains(step)) {
        MaintenanceEvent.withoutWrite(text(step, "what"))
            .map(what -> new HistoryEntry(what, time(step, "at"), text(step, "message")))
            .ifPresent(entries::add);
      }
    }
    return entries;
  }
}
