package dev.drydock.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.DrainReport;
import dev.drydock.drain.engine.DrainTask;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.simulate.Timeline.Event;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.ScenarioStep;
import dev.drydock.simulate.fleet.ScenarioStep.What;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs the steps of a scenario, and its drains until they end. */
final class ScenarioRun {
  /** On whose behalf nodes are held while they are drained, and until they are put back. */
  private static final String HOLDER = "user/simulation";

  /** On whose behalf nodes are held whose turn comes later. */
  private static final String QUEUE = "user/simulation-queue";

  private static final String REASON = "simulated";

  /** The current state of one node's drain. */
  final class DrainRecord implements DrainListener {
    private final String node;
    private final Campaign campaign;
    private final Instant startedAt = cluster.now();
    private Optional<Decision> last = Optional.empty();
    private Optional<End> end = Optional.empty();
    private Optional<Instant> endedAt = Optional.empty();

    private DrainRecord(String node, Campaign campaign) {
      this.node = node;
      this.campaign = campaign;
    }

    @Override
    public void changed(DrainReport report) {
      last = Optional.of(report.decision());
      recorder.waits().decided(node, report.decision(), cluster.now());
      recorder.budgets().holdsUp(node, report.decision());
    }

    @Override
    public void answered(Action action, EvictionAnswer answer) {
      if (!(answer instanceof EvictionAnswer.Accepted)) {
        return;
      }
      switch (action) {
        case Action.Evict evict -> {
          recorder.pods().evicted(evict.pod());
          evict.budget().ifPresent(asked -> recorder.budgets().evicted(asked.budget()));
        }
        case Action.Delete delete -> recorder.pods().deleted(delete.pod());
        case Action.ForceDelete delete -> recorder.pods().deleted(delete.pod());
        case Action.TaintOutOfService _ -> {}
      }
    }

    String node() {
      return node;
    }

    Instant startedAt() {
      return startedAt;
    }

    Optional<Decision> last() {
      return last;
    }

    String campaign() {
      return campaign.name;
    }

    Optional<End> end() {
      return end;
    }

    Optional<Instant> endedAt() {
      return endedAt;
    }
  }

  /** The nodes of one step, drained a given number at a time. */
  private static final class Campaign {
    private final String name;
    private final DrainPolicy policy;
    private final Deque<String> queue;
    private final Optional<Duration> reboot;
    private int free;

    Campaign(String name, DrainPolicy policy, List<String> nodes, int parallel) {
      this(name, policy, nodes, parallel, Optional.empty());
    }

    Campaign(
        String name,
        DrainPolicy policy,
        List<String> nodes,
        int parallel,
        Optional<Duration> reboot) {
      this.name = name;
      this.policy = policy;
      this.queue = new ArrayDeque<>(nodes);
      this.reboot = reboot;
      this.free = parallel == 0 ? nodes.size() : parallel;
    }
  }

  /** A node that was never started. */
  record NotBegun(String campaign, String node) {}

  private record Rebooting(Campaign campaign, String bootBefore) {}

  private final VirtualCluster cluster;
  private final DrainEngine engine;
  private final SimulationRecorder recorder;
  private final Set<String> draining = new HashSet<>();
  private final List<DrainRecord> inOrder = new ArrayList<>();
  private final List<Campaign> campaigns = new ArrayList<>();
  private final Map<String, Rebooting> rebooting = new HashMap<>();
  private int stepsLeft;
  private int reboots;
  private Instant lastEvent;

  ScenarioRun(VirtualCluster cluster, DrainEngine engine, SimulationRecorder recorder) {
    this.cluster = cluster;
    this.engine = engine;
    this.recorder = recorder;
    this.lastEvent = cluster.now();
    cluster.onNode(this::nodeChanged);
  }

  void begin(Fleet fleet) {
    Instant zero = cluster.now();
    stepsLeft = fleet.scenario().steps().size();
    for (ScenarioStep step : fleet.scenario().steps()) {
      cluster.at(new Object(), zero.plus(step.at()), () -> play(step, step.nodes().of(fleet)));
    }
  }

  boolean isDraining(String node) {
    return draining.contains(node);
  }

  int stepsLeft() {
    return stepsLeft;
  }

  List<DrainRecord> records() {
    return inOrder;
  }

  List<NotBegun> notBegun() {
    return campaigns.stream()
        .flatMap(campaign -> campaign.queue.stream().map(node -> new NotBegun(campaign.name, node)))
        .toList();
  }

  private void play(ScenarioStep step, List<String> nodes) {
    stepsLeft--;
    String who = ReportFormat.count(nodes.size(), "node") + " (" + step.nodes() + ")";
    switch (step.what()) {
      case What.Drain(DrainPolicy policy, int parallel) -> {
        report("drain of " + who + " begins" + atATime(parallel, nodes.size()));
        if (parallel > 0 && parallel < nodes.size()) {
          // none of the pods may move to a node whose turn comes later
          nodes.forEach(node -> hold(node, QUEUE));
        }
        begin(new Campaign("drain", policy, nodes, parallel));
      }
      case What.RollOut(DrainPolicy policy, int parallel, Duration takes) -> {
        report("roll-out to " + who + " begins" + atATime(parallel, nodes.size()));
        begin(new Campaign("roll-out", policy, nodes, parallel, Optional.of(takes)));
      }
      case What.Fail() -> {
        int pods = recorder.pods().cutOff(nodes);
        report(
            who
                + " fall"
                + (nodes.size() == 1 ? "s" : "")
                + " silent with "
                + ReportFormat.count(pods, "pod"));
        nodes.forEach(node -> NodeFailures.begin(cluster, node));
      }
      case What.Recover() -> {
        report(who + (nodes.size() == 1 ? " is" : " are") + " back");
        nodes.forEach(node -> NodeFailures.end(cluster, node));
      }
      case What.Reboot(Duration takes) -> {
        report("reboot of " + who + ", without a drain");
        nodes.forEach(node -> reboot(node, takes));
      }
      case What.Uncordon() -> {
        report("uncordon of " + who);
        nodes.forEach(engine.holds()::releaseEverything);
      }
    }
  }

  private static String atATime(int parallel, int nodes) {
    return parallel > 0 && parallel < nodes ? ", " + parallel + " at a time" : "";
  }

  /** When a step, or the drain of a node, last started or ended. */
  Instant lastEvent() {
    return lastEvent;
  }

  private void report(String message) {
    lastEvent = cluster.now();
    recorder.timeline().add(cluster.now(), Event.STEP, message);
  }

  private void report(Event event, String message, String node) {
    lastEvent = cluster.now();
    recorder.timeline().add(cluster.now(), event, message, node);
  }

  private void begin(Campaign campaign) {
    campaigns.add(campaign);
    next(campaign);
  }

  private void next(Campaign campaign) {
    while (campaign.free > 0 && !campaign.queue.isEmpty()) {
      String node = campaign.queue.removeFirst();
      if (isDraining(node)) {
        report(Event.CANCELLED, "skipped: a drain is already running", node);
        continue;
      }
      campaign.free--;
      lastEvent = cluster.now();
      inOrder.add(start(node, campaign));
    }
  }

  /** From now on the node is held for its drain, whose time counts from now on. */
  private DrainRecord start(String node, Campaign campaign) {
    DrainRecord record = new DrainRecord(node, campaign);
    draining.add(node);
    hold(node, HOLDER);
    engine.holds().release(node, QUEUE);
    var _ =
        engine
            .start(DrainTask.of(node, HOLDER, REASON, campaign.policy), record)
            .outcome()
            .thenAccept(outcome -> ended(record, outcome.end()));
    return record;
  }

  private void hold(String node, String holder) {
    engine.holds().place(node, Hold.of(holder, REASON, cluster.now()));
  }

  private void ended(DrainRecord record, End end) {
    String node = record.node();
    draining.remove(node);
    record.end = Optional.of(end);
    record.endedAt = Optional.of(cluster.now());
    recorder.waits().ended(node, cluster.now());
    switch (end) {
      case DONE -> report(Event.DRAINED, "drained", node);
      case REFUSED -> report(Event.REFUSED, "refused: no pod is touched", node);
      case FAILED -> report(Event.GAVE_UP, "failed: deadline passed", node);
      case CANCELLED -> report(Event.CANCELLED, "cancelled: the node was uncordoned", node);
    }
    Campaign campaign = record.campaign;
    if (end == End.DONE && campaign.reboot.isPresent()) {
      rebooting.put(node, new Rebooting(campaign, boot(cluster.node(node))));
      reboot(node, campaign.reboot.get());
    } else {
      leave(campaign);
    }
  }

  private void leave(Campaign campaign) {
    campaign.free++;
    next(campaign);
  }

  private void reboot(String node, Duration takes) {
    cluster.annotateNode(node, Knob.REBOOT_TAKES.annotation(), takes.toMillis() + "ms");
    cluster.annotateNode(node, Knob.REBOOT.annotation(), Integer.toString(++reboots));
  }

  private void nodeChanged(Optional<JsonNode> before, Optional<JsonNode> after) {
    if (rebooting.isEmpty() || after.isEmpty()) {
      return;
    }
    JsonNode node = after.get();
    String name = node.path("metadata").path("name").asText();
    Rebooting awaited = rebooting.get(name);
    if (awaited != null
        && NodeAvailability.isReady(node)
        && !boot(node).equals(awaited.bootBefore())) {
      rebooting.remove(name);
      cluster.soon(
          () -> {
            engine.holds().release(name, HOLDER);
            report(Event.BACK_IN_SERVICE, "back in service", name);
            leave(awaited.campaign());
          });
    }
  }

  private static String boot(JsonNode node) {
    return node.path("status").path("nodeInfo").path("bootID").asText("");
  }
}
