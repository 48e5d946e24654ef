package dev.drydock.app.history;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Merges histories into one, oldest first. Most times are whole seconds, so within a second the
 * order is the causal order of a maintenance's steps.
 */
final class CausalOrder {
  /** A step that is not listed sorts with the step before it in its own history. */
  private static final Map<String, Integer> PLACES =
      Map.ofEntries(
          Map.entry(MaintenanceHistory.CREATED, 1),
          Map.entry("MaintenanceScheduled", 2),
          Map.entry("HoldPlaced", 3),
          Map.entry("NodeNotSchedulable", 3),
          Map.entry("MaintenanceStarted", 4),
          Map.entry("DrainRequested", 5),
          Map.entry("DrainPlanned", 6),
          Map.entry("Draining", 7),
          Map.entry("Blocked", 7),
          Map.entry("Refused", 7),
          Map.entry("SLAExpired", 8),
          Map.entry("NoPods", 9),
          Map.entry("DrainComplete", 9),
          Map.entry("DrainFailed", 9),
          Map.entry("DrainCancelled", 9),
          Map.entry("ObjectsDrained", 10),
          Map.entry("Validating", 11),
          Map.entry("MaintenanceIncomplete", 12),
          Map.entry("MaintenanceCancelled", 13),
          Map.entry("MaintenanceEnded", 13),
          Map.entry("HoldReleased", 14),
          Map.entry("NodeSchedulable", 14),
          Map.entry("MaintenanceComplete", 15),
          Map.entry(MaintenanceHistory.WAITING, 16));

  private record Placed(Instant second, int place, HistoryStep step) {}

  private CausalOrder() {}

  /** Each history is already in order. */
  static List<HistoryStep> of(List<List<HistoryStep>> histories) {
    List<Placed> all = new ArrayList<>();
    histories.forEach(history -> all.addAll(placed(history)));
    all.sort(Comparator.comparing(Placed::second).thenComparingInt(Placed::place));
    List<HistoryStep> steps = new ArrayList<>();
    for (Placed each : all) {
      HistoryStep step = each.step();
      steps.add(steps.isEmpty() ? step : step.after(after(steps.getLast(), step)));
    }
    return steps;
  }

  private static List<Placed> placed(List<HistoryStep> history) {
    List<Placed> placed = new ArrayList<>();
    Instant second = Instant.MIN;
    int place = 0;
    for (HistoryStep step : history) {
      Instant now = step.at().truncatedTo(ChronoUnit.SECONDS);
      int before = now.equals(second) ? place : 0;
      place = Math.max(before, PLACES.getOrDefault(step.what(), before));
      second = now;
      placed.add(new Placed(second, place, step));
    }
    return placed;
  }

  /** A time in whole seconds may appear to be before a more precise one. */
  private static Duration after(HistoryStep before, HistoryStep step) {
    Duration time = Duration.between(before.at(), step.at());
    return time.isNegative() ? Duration.ZERO : time;
  }
}
