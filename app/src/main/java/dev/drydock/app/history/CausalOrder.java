package dev.drydock.app.history;

import dev.drydock.serve.feature.HistoryPhase;
import dev.drydock.serve.feature.HistoryStep;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Merges histories into one, oldest first. Most times are whole seconds, so within a second the
 * order is the causal order of a maintenance's steps. What a node waits for now is last.
 */
final class CausalOrder {
  private record Placed(Instant second, int place, HistoryStep step) {}

  private final Map<String, HistoryPhase> phases;

  /**
   * @param phases of the words that have a place; what is not among them has the place of the step
   *     before it in its own history
   */
  CausalOrder(Map<String, HistoryPhase> phases) {
    this.phases = phases;
  }

  /** Each history is in order by itself. */
  List<HistoryStep> of(List<List<HistoryStep>> histories) {
    List<Placed> all = new ArrayList<>();
    histories.forEach(history -> all.addAll(placed(history)));
    all.sort(
        Comparator.comparing((Placed each) -> isNow(each.step()))
            .thenComparing(Placed::second)
            .thenComparingInt(Placed::place));
    List<HistoryStep> steps = new ArrayList<>();
    for (Placed each : all) {
      HistoryStep step = steps.isEmpty() ? each.step() : latest(steps.getLast(), each.step());
      steps.add(steps.isEmpty() ? step : step.after(after(steps.getLast(), step)));
    }
    return steps;
  }

  private boolean isNow(HistoryStep step) {
    return HistoryPhase.WAITING.equals(phases.get(step.what()));
  }

  /** Other objects may have been read, or written with another clock, after now was taken. */
  private HistoryStep latest(HistoryStep before, HistoryStep step) {
    return isNow(step) && before.at().isAfter(step.at()) ? step.at(before.at()) : step;
  }

  private List<Placed> placed(List<HistoryStep> history) {
    List<Placed> placed = new ArrayList<>();
    Instant second = Instant.MIN;
    int place = 0;
    for (HistoryStep step : history) {
      Instant now = step.at().truncatedTo(ChronoUnit.SECONDS);
      int before = now.equals(second) ? place : 0;
      HistoryPhase phase = phases.get(step.what());
      place = phase == null ? before : Math.max(before, phase.place());
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
