package dev.drydock.app.history;

import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.RecordedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The merged history of a node, oldest entry first. */
final class NodeHistory {
  /** Entries of the node this long before or after a task are shown with the task. */
  private static final Duration AROUND = Duration.ofMinutes(1);

  private final CausalOrder order;
  private final List<HistoryPart> parts;
  private final List<RecordedEvent> events;

  /**
   * @param events about the node
   */
  NodeHistory(CausalOrder order, List<HistoryPart> parts, List<RecordedEvent> events) {
    this.order = order;
    this.parts = parts;
    this.events = events;
  }

  /** The complete history. */
  List<HistoryStep> whole() {
    List<List<HistoryStep>> all = new ArrayList<>(steps(HistoryPart.Scope.TASK));
    all.addAll(steps(HistoryPart.Scope.PART_OF_TASK));
    all.addAll(nodeSteps());
    return order.of(all);
  }

  /** Its tasks, with what happened to the node meanwhile; empty if there are none. */
  List<HistoryStep> ofTasks() {
    List<List<HistoryStep>> all = new ArrayList<>(steps(HistoryPart.Scope.TASK));
    List<Instant> times = all.stream().flatMap(List::stream).map(HistoryStep::at).toList();
    if (times.isEmpty()) {
      return List.of();
    }
    Instant first = times.stream().min(Instant::compareTo).orElseThrow().minus(AROUND);
    Instant last = times.stream().max(Instant::compareTo).orElseThrow().plus(AROUND);
    Set<String> names =
        of(HistoryPart.Scope.TASK).map(HistoryPart::name).collect(Collectors.toSet());
    of(HistoryPart.Scope.PART_OF_TASK)
        .filter(part -> names.contains(part.name()))
        .forEach(part -> all.add(part.steps()));
    nodeSteps()
        .forEach(
            steps ->
                all.add(
                    steps.stream()
                        .filter(step -> !step.at().isBefore(first) && !step.at().isAfter(last))
                        .toList()));
    return order.of(all);
  }

  private Stream<HistoryPart> of(HistoryPart.Scope scope) {
    return parts.stream().filter(part -> part.scope() == scope);
  }

  private List<List<HistoryStep>> steps(HistoryPart.Scope scope) {
    return of(scope).map(HistoryPart::steps).toList();
  }

  /** Omits a feature's entry if an Event records the same. */
  private List<List<HistoryStep>> nodeSteps() {
    List<List<HistoryStep>> all = new ArrayList<>();
    all.add(
        inOrder(
            events.stream()
                .map(
                    event -> HistoryStep.of(event.at(), "node", event.reason(), event.message()))));
    of(HistoryPart.Scope.NODE)
        .map(
            part ->
                inOrder(
                    part.steps().stream()
                        .filter(step -> events.stream().noneMatch(event -> isThat(event, step)))))
        .forEach(all::add);
    return all;
  }

  private static List<HistoryStep> inOrder(Stream<HistoryStep> steps) {
    return steps.sorted(Comparator.comparing(HistoryStep::at)).toList();
  }

  private static boolean isThat(RecordedEvent event, HistoryStep step) {
    return event.reason().equals(step.what())
        && event.note().equals(step.story())
        && Duration.between(event.at(), step.at()).abs().compareTo(AROUND) < 0;
  }
}
