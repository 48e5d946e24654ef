package dev.drydock.simulate;

import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.simulate.Timeline.Event;
import dev.drydock.simulate.fleet.Fleet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The result of a simulation for programs. Its field names are part of the interface.
 *
 * @param settled whether nothing more would happen when it ended
 * @param settledAfterSeconds when the last change was
 * @param countedUntilSeconds until when continuing states were counted
 * @param stepsNotReached steps after the end of the simulation
 * @param stuck what does not end by itself
 * @param unfinished what was blocked when the simulation stopped, so that its end is unknown
 */
record SimulationReport(
    long seed,
    Size fleet,
    boolean settled,
    double settledAfterSeconds,
    double countedUntilSeconds,
    int stepsNotReached,
    List<Happening> timeline,
    List<Drain> drains,
    List<BudgetReport> budgets,
    NodeMinutes nodeMinutes,
    PodOutcomes.Count pods,
    List<Stuck> stuck,
    List<Stuck> unfinished) {
  static final String NOT_BEGUN = "NOT_BEGUN";

  /** More pods than this are only counted. */
  private static final int EXAMPLES = 3;

  record Size(int nodes, int pods, int workloads, int budgets) {}

  /** An entry; what happens to many nodes within half a minute is one. */
  record Happening(
      double atSeconds, double lastAtSeconds, Event event, List<String> nodes, String message) {}

  /**
   * The drain of one node.
   *
   * @param outcome {@code DONE}, {@code REFUSED}, {@code FAILED}, {@code CANCELLED}, {@code STUCK},
   *     {@code UNFINISHED} or {@code NOT_BEGUN}
   * @param startSeconds absent if it was not started; then nothing is counted
   */
  record Drain(
      String node,
      String step,
      String outcome,
      @Nullable Double startSeconds,
      double seconds,
      int gone,
      int left,
      @Nullable String longestWait,
      double longestWaitSeconds) {}

  /**
   * The use of a budget.
   *
   * @param nodesHeldUp nodes whose drains waited for it
   */
  record BudgetReport(
      String budget,
      int pods,
      int needed,
      int lowestHealthy,
      int evictions,
      int nodesHeldUp,
      double secondsAtZero,
      double secondsBelowNeeded) {}

  /**
   * Out of service means cordoned, down, or both.
   *
   * @param nodesOut how many are out of service at the end
   */
  record NodeMinutes(double outOfService, double cordoned, double down, int nodesOut) {}

  /**
   * An obstacle.
   *
   * @param pods how many it blocks
   */
  record Stuck(
      String reason,
      List<String> nodes,
      int pods,
      List<String> examples,
      String message,
      String next) {}

  /**
   * Covers the time from when the fleet was up to the last change.
   *
   * @param counted until when continuing states count
   * @param settled whether nothing more would happen
   */
  record Span(Instant zero, Instant end, Instant counted, boolean settled) {
    double seconds(Instant time) {
      return SimulationReport.seconds(Duration.between(zero, time));
    }
  }

  static SimulationReport of(
      Fleet fleet, int pods, Span span, SimulationRecorder recorder, ScenarioRun scenario) {
    NodeAvailability.Outage outage = recorder.nodes().until(span.counted());
    return new SimulationReport(
        fleet.seed(),
        new Size(fleet.nodeCount(), pods, fleet.workloads().size(), fleet.budgets().size()),
        span.settled(),
        span.seconds(span.end()),
        span.seconds(span.counted()),
        scenario.stepsLeft(),
        recorder.timeline().entries(span.zero()).stream()
            .map(
                entry ->
                    new Happening(
                        seconds(entry.at()),
                        seconds(entry.lastAt()),
                        entry.event(),
                        entry.nodes(),
                        ReportFormat.relative(entry.message(), span.zero())))
            .toList(),
        drains(span, recorder, scenario),
        recorder.budgets().until(span.counted()).stream().map(SimulationReport::budget).toList(),
        new NodeMinutes(
            minutes(outage.total()),
            minutes(outage.cordoned()),
            minutes(outage.down()),
            outage.nodesOut()),
        recorder.pods().count(),
        stuck(span, recorder, scenario),
        span.settled() ? List.of() : heldUp(span, recorder, scenario));
  }

  private static List<Drain> drains(Span span, SimulationRecorder recorder, ScenarioRun scenario) {
    return Stream.concat(
            scenario.records().stream().map(record -> drain(record, span, recorder)),
            scenario.notBegun().stream()
                .map(
                    waits ->
                        new Drain(
                            waits.node(), waits.campaign(), NOT_BEGUN, null, 0, 0, 0, null, 0)))
        .toList();
  }

  private static Drain drain(
      ScenarioRun.DrainRecord record, Span span, SimulationRecorder recorder) {
    Optional<WaitLog.Longest> longest = recorder.waits().longest(record.node());
    Instant until = record.endedAt().orElse(span.counted());
    Decision.Progress progress =
        record.last().map(Decision::progress).orElse(new Decision.Progress(0, 0, 0, 0));
    return new Drain(
        record.node(),
        record.campaign(),
        record.end().map(End::name).orElse(span.settled() ? "STUCK" : "UNFINISHED"),
        span.seconds(record.startedAt()),
        seconds(Duration.between(record.startedAt(), until)),
        progress.gone(),
        progress.remaining(),
        longest.map(wait -> wait.reason().camelCase()).orElse(null),
        longest.map(wait -> seconds(wait.time())).orElse(0.0));
  }

  private static BudgetReport budget(BudgetUse.Use use) {
    return new BudgetReport(
        use.budget().toString(),
        use.pods(),
        use.needed(),
        use.lowest(),
        use.evictions(),
        use.nodesHeldUp(),
        seconds(use.atZero()),
        seconds(use.below()));
  }

  private record Cause(BlockReason reason, List<String> names) {}

  /** Failures, and what is blocked when nothing more happens. */
  private static List<Stuck> stuck(Span span, SimulationRecorder recorder, ScenarioRun scenario) {
    Predicate<End> badly = end -> end == End.REFUSED || end == End.FAILED;
    List<Stuck> stuck =
        inTheWay(
            span,
            scenario.records().stream()
                .filter(record -> record.end().filter(badly).isPresent())
                .toList());
    if (span.settled()) {
      stuck.addAll(heldUp(span, recorder, scenario));
    }
    return stuck;
  }

  private static List<Stuck> heldUp(Span span, SimulationRecorder recorder, ScenarioRun scenario) {
    List<Stuck> heldUp =
        inTheWay(
            span, scenario.records().stream().filter(record -> record.end().isEmpty()).toList());
    addSilent(heldUp, recorder.nodes().awaitedInVain());
    addWithoutRoom(heldUp, recorder.pods().waiting());
    return heldUp;
  }

  private static List<Stuck> inTheWay(Span span, List<ScenarioRun.DrainRecord> records) {
    Map<Cause, List<String>> nodes = new LinkedHashMap<>();
    Map<Cause, List<PodRef>> pods = new LinkedHashMap<>();
    Map<Cause, Blocker> first = new LinkedHashMap<>();
    for (ScenarioRun.DrainRecord record : records) {
      String node = record.node();
      for (Blocker blocker : record.last().map(Decision::blockers).orElse(List.of())) {
        boolean own = blocker.names().equals(List.of(node));
        Cause cause = new Cause(blocker.reason(), own ? List.of() : blocker.names());
        nodes.computeIfAbsent(cause, _ -> new ArrayList<>()).add(node);
        pods.computeIfAbsent(cause, _ -> new ArrayList<>()).addAll(blocker.pods());
        first.putIfAbsent(cause, blocker);
      }
    }
    List<Stuck> stuck = new ArrayList<>();
    first.forEach(
        (cause, blocker) -> {
          List<String> names = nodes.getOrDefault(cause, List.of());
          List<PodRef> held = pods.getOrDefault(cause, List.of());
          stuck.add(
              new Stuck(
                  cause.reason().camelCase(),
                  names.stream().distinct().toList(),
                  held.size(),
                  held.stream().limit(EXAMPLES).map(PodRef::toString).toList(),
                  what(blocker, names.getFirst(), span),
                  blocker.next()));
        });
    return stuck;
  }

  private static String what(Blocker blocker, String node, Span span) {
    return ReportFormat.relative(blocker.what().replace("node " + node, "the node"), span.zero());
  }

  private static void addWithoutRoom(
      List<Stuck> stuck, Map<String, Map<String, Integer>> podsByWorkload) {
    podsByWorkload.forEach(
        (workload, reasons) ->
            reasons.forEach(
                (why, count) ->
                    stuck.add(
                        new Stuck(
                            "NoRoom",
                            List.of(),
                            count,
                            List.of(workload),
                            why,
                            "add nodes, or put nodes back into service"))));
  }

  private static void addSilent(List<Stuck> stuck, Map<String, List<String>> podsByNode) {
    if (podsByNode.isEmpty()) {
      return;
    }
    List<String> pods = podsByNode.values().stream().flatMap(List::stream).toList();
    stuck.add(
        new Stuck(
            BlockReason.NODE_UNREACHABLE.camelCase(),
            List.copyOf(podsByNode.keySet()),
            pods.size(),
            pods.stream().limit(EXAMPLES).toList(),
            "a StatefulSet does not replace them while their silent node may still run them",
            BlockReason.NODE_UNREACHABLE.next()));
  }

  static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }

  private static double minutes(Duration time) {
    return Math.round(time.toMillis() / 600.0) / 100.0;
  }
}
