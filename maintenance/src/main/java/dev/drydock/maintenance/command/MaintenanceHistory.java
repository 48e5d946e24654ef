package dev.drydock.maintenance.command;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.TransitionMessages;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.RecordedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one maintenance: from its object while that exists, and from the Events about it,
 * which are kept longer or shorter.
 */
final class MaintenanceHistory {
  /** An Event may repeat an entry of the object, a moment later. */
  private static final Duration SAME_MOMENT = Duration.ofSeconds(5);

  static final String CREATED = "Created";

  static final String WAITING = "Waiting";

  /** Can happen many times, each for another reason. */
  static final String WAITS = "Waits";

  /** Can happen many times, and be recorded later than they happened; each has its own text. */
  private static final Set<String> WITHOUT_WRITE =
      Set.of("DrainPlanned", "JobStarted", "JobSucceeded", "JobFailed");

  private static final Set<String> ENDS =
      Set.of("MaintenanceCancelled", "MaintenanceEnded", "MaintenanceComplete");

  private MaintenanceHistory() {}

  static List<HistoryStep> of(
      @Nullable NotifyMaintenanceObject seen, List<RecordedEvent> events, Instant now) {
    List<HistoryStep> steps = new ArrayList<>();
    String who = seen == null ? id(events) : id(seen);
    if (seen != null) {
      addObject(steps, seen);
    }
    for (RecordedEvent event : events) {
      if (steps.stream().noneMatch(step -> isSame(step, event))) {
        steps.add(HistoryStep.of(event.at(), who, event.reason(), event.message()));
      }
    }
    steps.sort(Comparator.comparing(HistoryStep::at));
    List<HistoryStep> timed = withWaits(steps);
    if (seen != null && !seen.facts().isOver()) {
      timed.add(waiting(seen, steps, now));
    }
    return timed;
  }

  private static boolean isSame(HistoryStep step, RecordedEvent event) {
    if (!step.what().equals(event.reason())) {
      return false;
    }
    boolean sameWords = step.story().equals(event.message());
    if (WITHOUT_WRITE.contains(event.reason())) {
      return sameWords;
    }
    Duration apart = Duration.between(step.at(), event.at()).abs();
    return apart.compareTo(SAME_MOMENT) <= 0 && (sameWords || !event.reason().equals(WAITS));
  }

  static String id(NotifyMaintenanceObject seen) {
    return seen.facts().spec().maintenanceID();
  }

  /**
   * The ID of a maintenance that is gone; its name, if the Events of an earlier version do not say
   * it.
   */
  static String id(List<RecordedEvent> events) {
    return events.stream()
        .flatMap(
            event ->
                Optional.ofNullable(event.annotations().get(MaintenanceNames.EVENT_ID))
                    .or(() -> TransitionMessages.completedId(event.note()))
                    .stream())
        .findFirst()
        .orElseGet(() -> events.getFirst().object().name());
  }

  private static void addObject(List<HistoryStep> steps, NotifyMaintenanceObject seen) {
    Instant created = seen.facts().identity().created();
    steps.add(HistoryStep.of(created, id(seen), CREATED, described(seen)));
    for (JsonNode step : seen.history()) {
      steps.add(
          HistoryStep.of(time(step, "at"), id(seen), text(step, "what"), text(step, "message")));
    }
    // An operator that keeps no history has at least these.
    for (JsonNode move : seen.status().path("transitionTimestamps")) {
      String state = text(move, "maintenanceStatus");
      Instant at = time(move, "transitionTimestamp");
      if (steps.stream().noneMatch(step -> step.what().equals(state) && step.at().equals(at))) {
        steps.add(HistoryStep.of(at, id(seen), state, ""));
      }
    }
  }

  private static String described(NotifyMaintenanceObject seen) {
    NotifyMaintenanceSpec spec = seen.facts().spec();
    return "NotifyMaintenance "
        + seen
        + ", "
        + spec.maintenanceType()
        + (spec.maintenanceClass() == null ? "" : ", class " + spec.maintenanceClass())
        + (spec.owner() == null ? "" : ", for " + spec.owner());
  }

  /** Each state waits for something, which the next state ends. */
  private static List<HistoryStep> withWaits(List<HistoryStep> steps) {
    List<HistoryStep> timed = new ArrayList<>();
    HistoryStep begun = null;
    for (HistoryStep step : steps) {
      boolean moves =
          step.what().equals(CREATED)
              || MaintenanceState.of(step.what()) != MaintenanceState.UNKNOWN
              || ENDS.contains(step.what());
      HistoryStep told = step;
      if (moves && begun != null) {
        Duration time = Duration.between(begun.at(), step.at());
        String forWhat = waitOf(begun.what());
        told =
            time.isZero() || forWhat.isEmpty()
                ? step
                : step.waited(new HistoryStep.Wait(time, forWhat));
      }
      begun = moves ? step : begun;
      timed.add(told);
    }
    return timed;
  }

  private static String waitOf(String what) {
    if (what.equals(CREATED)) {
      return "to be taken up by an operator";
    }
    if (ENDS.contains(what)) {
      return what.equals("MaintenanceComplete") ? "" : "for the node to be uncordoned";
    }
    return switch (MaintenanceState.of(what)) {
      case SCHEDULED -> "to be taken out of service";
      case STARTED -> "for the node to be emptied";
      case SLA_EXPIRED -> "for the node to be emptied, by force if need be";
      case DRAINED -> "for the work to be done";
      case VALIDATING -> "for the node to be validated and returned";
      case INCOMPLETE -> "for someone to repair the node";
      case NONE, UNKNOWN -> "";
    };
  }

  private static HistoryStep waiting(
      NotifyMaintenanceObject seen, List<HistoryStep> steps, Instant now) {
    Optional<HistoryStep> begun =
        steps.stream()
            .filter(step -> !waitOf(step.what()).isEmpty())
            .reduce((first, second) -> second);
    String forWhat = begun.map(step -> waitOf(step.what())).orElse("");
    String said = MaintenanceProgress.waitsFor(seen);
    Instant since = begun.map(HistoryStep::at).orElse(now);
    return HistoryStep.of(now, id(seen), WAITING, said.isEmpty() ? forWhat : said)
        .waited(new HistoryStep.Wait(Duration.between(since, now), forWhat));
  }
}
