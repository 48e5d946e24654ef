package dev.drydock.maintenance.command;

import static dev.drydock.kube.Fields.list;
import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.Conditions;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.AdvisoryConditions;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The progress messages of a maintenance, and when it has ended. */
public final class MaintenanceProgress {
  /** Prefix of a client's failure report. */
  private static final Set<String> FAILURES =
      Set.of(MaintenanceNames.INCOMPLETE, MaintenanceNames.FAILED);

  /**
   * How it ended.
   *
   * @param done the node is back in production
   * @param log the last log lines of the failed Job
   */
  record Ending(boolean done, String line, List<String> log) {}

  private MaintenanceProgress() {}

  /** A line for each entry since the last call. */
  static List<String> news(@Nullable NotifyMaintenanceObject told, NotifyMaintenanceObject now) {
    List<String> lines = new ArrayList<>();
    String node = "node/" + now.facts().node() + " ";
    JsonNode steps = now.history();
    String wait = waitsFor(now);
    boolean newWait = !wait.isEmpty() && (told == null || !wait.equals(waitsFor(told)));
    for (int i = firstUntold(told, steps); i < steps.size(); i++) {
      String message = text(steps.get(i), "message");
      if (newWait && i == steps.size() - 1 && isWait(steps.get(i), wait)) {
        continue; // is told below
      }
      lines.add(
          node + text(steps.get(i), "what") + (message.isEmpty() ? "" : ": " + oneLine(message)));
    }
    MaintenanceState state = now.facts().state();
    boolean moved = told == null || told.facts().state() != state;
    if (moved && lines.isEmpty() && state != MaintenanceState.NONE) {
      lines.add(node + state.text()); // the operator writes no history
    }
    if (newWait) {
      lines.add(node + "waits: " + wait);
    }
    return lines;
  }

  private static boolean isWait(JsonNode step, String wait) {
    return text(step, "what").equals(MaintenanceHistory.WAITS)
        && oneLine(text(step, "message")).equals(wait);
  }

  /** The history is truncated at its beginning, so positions in it mean nothing. */
  private static int firstUntold(@Nullable NotifyMaintenanceObject told, JsonNode steps) {
    JsonNode before = told == null ? null : told.history();
    if (before == null || before.isEmpty()) {
      return 0;
    }
    JsonNode last = before.get(before.size() - 1);
    for (int i = steps.size(); i > 0; i--) {
      if (steps.get(i - 1).equals(last)) {
        return i;
      }
    }
    return 0;
  }

  /** What has to happen next and who has to do it; empty if unknown. */
  public static String waitsFor(NotifyMaintenanceObject seen) {
    if (seen.facts().deleted()) {
      return afterDeletion(seen);
    }
    return oneLine(seen.waitingFor());
  }

  private static String afterDeletion(NotifyMaintenanceObject seen) {
    MaintenanceFacts facts = seen.facts();
    if (facts.finalizer()) {
      return facts.state().hasBegun()
          ? "node %s to be uncordoned; see: drydock holds %1$s".formatted(facts.node())
          : "the operator to let it go; is 'drydock operator' running?";
    }
    return "whoever set the finalizer %s to remove it"
        .formatted(String.join(", ", seen.object().finalizers()));
  }

  /** Empty until it has ended. */
  static Optional<Ending> ending(NotifyMaintenanceObject last, boolean gone) {
    MaintenanceFacts facts = last.facts();
    if (gone) {
      return Optional.of(isFit(facts) ? back(facts) : deleted(facts));
    }
    if (facts.isOver()) {
      return Optional.of(
          isFit(facts) || isFine(last.status()) ? back(facts) : uncordonedMidway(facts));
    }
    return facts.state() == MaintenanceState.INCOMPLETE
        ? Optional.of(incomplete(last))
        : Optional.empty();
  }

  private static boolean isFit(MaintenanceFacts facts) {
    Optional<String> fit = Optional.of(MaintenanceNames.VALIDATED);
    return facts.state() == MaintenanceState.VALIDATING
        && (facts.condition(MaintenanceNames.VALIDATION_CONDITION).equals(fit)
            || facts.annotation(MaintenanceNames.VALIDATION_CLIENT).equals(fit));
  }

  private static boolean isFine(JsonNode status) {
    return Conditions.of(status)
        .get(AdvisoryConditions.COMPLETED)
        .filter(condition -> text(condition, "reason").equals("Uncordoned"))
        .isPresent();
  }

  private static Ending back(MaintenanceFacts facts) {
    return new Ending(true, "node/%s back in production".formatted(facts.node()), List.of());
  }

  private static Ending deleted(MaintenanceFacts facts) {
    String line =
        switch (facts.state()) {
          case NONE, SCHEDULED ->
              "NotifyMaintenance %s of node %s was deleted before it began; nothing was done to the node";
          case STARTED, SLA_EXPIRED ->
              "NotifyMaintenance %s of node %s was deleted before the work began; the node is back";
          case DRAINED, VALIDATING, INCOMPLETE, UNKNOWN ->
              "NotifyMaintenance %s was deleted before node %s was validated; see: drydock history %2$s";
        };
    return new Ending(false, line.formatted(facts.identity(), facts.node()), List.of());
  }

  private static Ending uncordonedMidway(MaintenanceFacts facts) {
    return new Ending(
        false,
        "node %s was uncordoned in state %s, which ended its maintenance; see: drydock history %1$s"
            .formatted(facts.node(), facts.state().text()),
        List.of());
  }

  private static Ending incomplete(NotifyMaintenanceObject last) {
    MaintenanceFacts facts = last.facts();
    return new Ending(
        false,
        "node %1$s is not fit for production: %2$s; next: repair it, then run: kubectl delete notifymaintenance -n %3$s %4$s --wait=false && kubectl uncordon %1$s"
            .formatted(
                facts.node(), reason(last), facts.identity().namespace(), facts.identity().name()),
        list(last.status().path("lastLogLines")));
  }

  private static String reason(NotifyMaintenanceObject last) {
    String reason = "";
    for (JsonNode step : last.history()) {
      if (FAILURES.contains(text(step, "what")) && !text(step, "message").isEmpty()) {
        reason = oneLine(text(step, "message"));
      }
    }
    if (!reason.isEmpty()) {
      return reason;
    }
    boolean worked =
        last.facts()
            .condition(MaintenanceNames.MAINTENANCE_CONDITION)
            .filter(MaintenanceNames.INCOMPLETE::equals)
            .isEmpty();
    return worked ? "its validation failed" : "the work was not completed";
  }

  private static String oneLine(String text) {
    return String.join(" ", text.lines().toList());
  }
}
