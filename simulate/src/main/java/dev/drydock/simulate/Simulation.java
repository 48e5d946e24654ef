package dev.drydock.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.ScenarioStep;
import dev.drydock.simulate.fleet.ScenarioStep.What;
import dev.drydock.simulate.fleet.Workload;
import dev.drydock.simulate.fleet.Workload.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the scenario of a fleet until nothing more happens. One thread, virtual time, one seed: the
 * same fleet always gives the same report.
 */
final class Simulation implements AutoCloseable {
  /** Longer than any delay in a cluster, such as the toleration of unresponsive nodes. */
  private static final Duration QUIET = Duration.ofMinutes(10);

  /** The default end: whatever takes longer is reported as unfinished. */
  private static final Duration LONGEST = Duration.ofHours(24);

  private static final Duration SLACK = Duration.ofMinutes(1);

  /** Receives progress messages. */
  interface Progress {
    void step(String what);

    void detail(String what);
  }

  private final Fleet fleet;
  private final Progress progress;
  private final VirtualCluster cluster;
  private final SimulationRecorder recorder;
  private final DrainEngine engine;
  private final ScenarioRun scenario;
  private Instant lastChange;

  private Simulation(Fleet fleet, Progress progress) {
    this.fleet = fleet;
    this.progress = progress;
    cluster = new VirtualCluster(fleet.seed());
    recorder = SimulationRecorder.of(cluster);
    engine = new DrainEngine(cluster.kube(), DrainEngine.Options.DEFAULT);
    scenario = new ScenarioRun(cluster, engine, recorder);
    lastChange = cluster.now();
    cluster.onPod(this::podChanged);
    cluster.onNode((_, _) -> lastChange = cluster.now());
    cluster.onBudget((_, _) -> lastChange = cluster.now());
  }

  /** Jobs finish at any time, independent of the scenario; a drain may wait for that. */
  private void podChanged(Optional<JsonNode> before, Optional<JsonNode> after) {
    JsonNode pod = after.or(() -> before).orElseThrow();
    String owner = pod.path("metadata").path("ownerReferences").path(0).path("kind").asText("");
    String node = pod.path("spec").path("nodeName").asText("");
    if (!owner.equals("Job") || scenario.isDraining(node)) {
      lastChange = cluster.now();
    }
  }

  static SimulationReport run(Fleet fleet, Progress progress) {
    try (Simulation simulation = new Simulation(fleet, progress)) {
      return simulation.run();
    }
  }

  private SimulationReport run() {
    setUp();
    Instant zero = cluster.now();
    int pods = recorder.pods().pods();
    recorder.begin();
    scenario.begin(fleet);
    progress.step("Simulating");
    Instant latest = zero.plus(fleet.scenario().until().orElse(lastStep().plus(LONGEST)));
    boolean settled = play(zero, latest);
    recorder.waits().report();
    Instant end = latest(lastChange(), recorder.timeline().last().orElse(zero));
    boolean toTheQuiet = settled && fleet.scenario().until().isEmpty();
    Instant counted = toTheQuiet ? end.plus(quiet()) : latest;
    recorder.waits().finish(counted);
    SimulationReport.Span span = new SimulationReport.Span(zero, end, counted, settled);
    return SimulationReport.of(fleet, pods, span, recorder, scenario);
  }

  /** Runs until every pod that can be ready is ready. */
  private void setUp() {
    progress.step(
        "Setting up "
            + ReportFormat.count(fleet.nodeCount(), "node")
            + " and "
            + ReportFormat.count(fleet.workloads().size(), "workload"));
    cluster.load(FleetObjects.of(fleet, cluster.now()));
    Duration starts =
        fleet.workloads().stream()
            .map(workload -> Times.longest(workload.times().starts()))
            .max(Duration::compareTo)
            .orElse(Duration.ZERO);
    Instant latest = cluster.now().plus(starts).plus(SLACK);
    for (Instant next = cluster.nextTimer();
        next != null && !next.isAfter(latest) && recorder.pods().notReady() > 0;
        next = cluster.nextTimer()) {
      cluster.advanceTo(next);
    }
    // API times are whole seconds, so the simulation starts at one
    cluster.advanceTo(cluster.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1));
  }

  private Duration lastStep() {
    return fleet.scenario().steps().stream()
        .map(ScenarioStep::at)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /** Whether nothing more will happen; false if the time limit was reached first. */
  private boolean play(Instant zero, Instant end) {
    Duration quiet = quiet();
    Duration told = Duration.ZERO;
    lastChange = zero;
    @Nullable Instant next = cluster.nextTimer();
    for (; next != null && !isQuiet(next, quiet); next = cluster.nextTimer()) {
      if (next.isAfter(end)) {
        return false;
      }
      cluster.advanceTo(next);
      Duration passed = Duration.between(zero, next);
      if (passed.toMinutes() > told.toMinutes()) {
        told = passed;
        progress.detail(standing(passed));
      }
    }
    return true;
  }

  private boolean isQuiet(Instant next, Duration quiet) {
    return scenario.stepsLeft() == 0 && next.isAfter(lastChange().plus(quiet));
  }

  private Instant lastChange() {
    return latest(scenario.lastEvent(), lastChange);
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private String standing(Duration passed) {
    long done = scenario.records().stream().filter(record -> record.end().isPresent()).count();
    return "%s of virtual time, %d of %d drains over"
        .formatted(GoDuration.brief(passed), done, scenario.records().size());
  }

  /** Anything that is pending happens within this time, or never. */
  private Duration quiet() {
    Stream<Duration> ofPods =
        fleet.workloads().stream()
            .map(Workload::times)
            .flatMap(
                times ->
                    Stream.of(
                        Times.longest(times.starts()),
                        Times.longest(times.stops()),
                        times.grace()));
    Stream<Duration> ofSteps =
        fleet.scenario().steps().stream()
            .flatMap(
                step ->
                    switch (step.what()) {
                      case What.Drain(DrainPolicy policy, int parallel) -> times(policy);
                      case What.RollOut(DrainPolicy policy, int parallel, Duration takes) ->
                          Stream.concat(times(policy), Stream.of(takes));
                      case What.Reboot(Duration takes) -> Stream.of(takes);
                      case What.Fail _, What.Recover _, What.Uncordon _ -> Stream.of();
                    });
    boolean jobsMatter =
        fleet.scenario().steps().stream().anyMatch(step -> waitsForJobs(step.what()));
    Stream<Duration> ofJobs =
        fleet.workloads().stream()
            .filter(_ -> jobsMatter)
            .map(workload -> Times.longest(workload.times().runs()));
    return Stream.of(Stream.of(QUIET), ofPods, ofJobs, ofSteps)
        .flatMap(times -> times)
        .max(Duration::compareTo)
        .orElse(QUIET)
        .plus(SLACK);
  }

  private static boolean waitsForJobs(What what) {
    return switch (what) {
      case What.Drain drain -> drain.policy().waitForJobs();
      case What.RollOut rollOut -> rollOut.policy().waitForJobs();
      case What.Fail _, What.Recover _, What.Reboot _, What.Uncordon _ -> false;
    };
  }

  private static Stream<Duration> times(DrainPolicy policy) {
    return Stream.of(policy.deadline(), policy.forceAfter(), policy.skipWait())
        .flatMap(Optional::stream);
  }

  @Override
  public void close() {
    engine.close();
    cluster.close();
  }
}
