package dev.drydock.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.decide.Action;
import dev.drydock.drain.decide.Decision;
import dev.drydock.drain.decide.DrainPolicy;
import dev.drydock.drain.decide.EvictionAnswer;
import dev.drydock.drain.kube.DrainOutcome.End;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Executes the steps of a scenario and runs drains to their end. */
final class ScenarioRun implements NodeDrain.Listener {
  /** The current state of one node's drain. */
  static final class DrainRecord {
    private final NodeDrain drain;
    private final Campaign campaign;
    private Optional<End> end = Optional.empty();
    private Optional<Instant> endedAt = Optional.empty();

    private DrainRecord(NodeDrain drain, Campaign campaign) {
      this.drain = drain;
      this.campaign = campaign;
    }

    NodeDrain drain() {
      return drain;
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
  private final SimulatedEngine engine;
  private final SimulationRecorder recorder;
  private final Map<NodeDrain, DrainRecord> records = new HashMap<>();
  private final List<DrainRecord> inOrder = new ArrayList<>();
  private final List<Campaign> campaigns = new ArrayList<>();
  private final Map<String, Rebooting> rebooting = new HashMap<>();
  private int stepsLeft;
  private int reboots;
  private Instant lastEvent;

  ScenarioRun(VirtualCluster cluster, SimulatedEngine engine, SimulationRecorder recorder) {
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
        tell("drain of " + who + " begins" + atATime(parallel, nodes.size()));
        if (parallel > 0 && parallel < nodes.size()) {
          nodes.forEach(engine::hold); // none of the pods may move to a node whose turn comes later
        }
        begin(new Campaign("drain", policy, nodes, parallel));
      }
      case What.RollOut(DrainPolicy policy, int parallel, Duration takes) -> {
        tell("roll-out to " + who + " begins" + atATime(parallel, nodes.size()));
        begin(new Campaign("roll-out", policy, nodes, parallel, Optional.of(takes)));
      }
      case What.Fail() -> {
        int pods = recorder.pods().cutOff(nodes);
        tell(
            who
                + " fall"
                + (nodes.size() == 1 ? "s" : "")
                + " silent with "
                + ReportFormat.count(pods, "pod"));
        nodes.forEach(node -> NodeFailures.begin(cluster, node));
      }
      case What.Recover() -> {
        tell(who + (nodes.size() == 1 ? " is" : " are") + " back");
        nodes.forEach(node -> NodeFailures.end(cluster, node));
      }
      case What.Reboot(Duration takes) -> {
        tell("reboot of " + who + ", without a drain");
        nodes.forEach(node -> reboot(node, takes));
      }
      case What.Uncordon() -> {
        tell("uncordon of " + who);
        nodes.forEach(engine::releaseEverything);
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

  private void tell(String message) {
    lastEvent = cluster.now();
    recorder.timeline().add(cluster.now(), Event.STEP, message);
  }

  private void tell(Event event, String message, String node) {
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
      if (engine.isDraining(node)) {
        tell(Event.CANCELLED, "left out: a drain is under way already", node);
        continue;
      }
      campaign.free--;
      lastEvent = cluster.now();
      DrainRecord record = new DrainRecord(engine.start(node, campaign.policy, this), campaign);
      records.put(record.drain, record);
      inOrder.add(record);
    }
  }

  @Override
  public void decided(NodeDrain drain, Decision decision) {
    recorder.waits().decided(drain.node(), decision, cluster.now());
    recorder.budgets().holdsUp(drain.node(), decision);
  }

  @Override
  public void answered(NodeDrain drain, Action action, EvictionAnswer answer) {
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

  @Override
  public void ended(NodeDrain drain, End end) {
    DrainRecord record = records.get(drain);
    if (record == null) {
      throw new IllegalStateException("a drain that was never started: " + drain.node());
    }
    record.end = Optional.of(end);
    record.endedAt = Optional.of(cluster.now());
    recorder.waits().ended(drain.node(), cluster.now());
    switch (end) {
      case DONE -> tell(Event.DRAINED, "drained", drain.node());
      case REFUSED -> tell(Event.REFUSED, "refused, no pod is touched", drain.node());
      case FAILED -> tell(Event.GAVE_UP, "given up, its time is over", drain.node());
      case CANCELLED -> tell(Event.CANCELLED, "called off, the node was uncordoned", drain.node());
    }
    Campaign campaign = record.campaign;
    if (end == End.DONE && campaign.reboot.isPresent()) {
      rebooting.put(drain.node(), new Rebooting(campaign, boot(cluster.node(drain.node()))));
      reboot(drain.node(), campaign.reboot.get());
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
      engine.soon(
          () -> {
            engine.release(name);
            tell(Event.BACK_IN_SERVICE, "back in service", name);
            leave(awaited.campaign());
          });
    }
  }

  private static String boot(JsonNode node) {
    return node.path("status").path("nodeInfo").path("bootID").asText("");
  }
}
