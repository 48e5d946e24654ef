package dev.drydock.edge.control;

import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.edge.decide.BootUncordon;
import dev.drydock.edge.decide.ClusterNodes;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.PeerNode;
import dev.drydock.kube.ControlLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * After a boot: finds out how many nodes the cluster has, and lifts the cordon that an operation
 * has left. Cordons of others stay.
 */
final class EdgeBootController implements AutoCloseable {
  /** A cluster may grow after the boot. */
  private static final Duration RECOUNT = Duration.ofMinutes(5);

  private final EdgeContext context;
  private final EdgeApi api;
  private final EdgeDrainController drains;
  private final IntConsumer counted;
  private final ControlLoop loop;
  private boolean done;

  EdgeBootController(
      EdgeContext context, EdgeApi api, EdgeDrainController drains, IntConsumer counted) {
    this.context = context;
    this.api = api;
    this.drains = drains;
    this.counted = counted;
    loop = context.kube().loop("edge-boot", context.settings().node(), this::step);
  }

  void start() {
    loop.wake();
  }

  private Instant step() {
    ClusterNodes nodes = api.nodes();
    counted.accept(nodes.nodes().size());
    Instant now = context.kube().time().now();
    return done || isBack(nodes) ? now.plus(RECOUNT) : now.plus(EdgeAgent.BOOT_LOOK);
  }

  private boolean isBack(ClusterNodes nodes) {
    String holder = context.settings().holder();
    boolean stays = isTieBreaker() || nodes.self().filter(PeerNode::tieBreaker).isPresent();
    boolean held = nodes.self().isPresent() && isHeld(nodes.own(), stays);
    BootUncordon decision = BootUncordon.decide(nodes.self(), held, isNeeded(), stays);
    switch (decision) {
      case RELEASE -> change(nodes.own(), "uncordoned", now -> released(now, holder));
      case KEEP_CORDONED ->
          change(nodes.own(), "a tie-breaker stays cordoned", now -> kept(now, holder));
      case LOOK_AGAIN, DONE -> {}
    }
    done = decision == BootUncordon.DONE;
    return done;
  }

  /** Whether a hold of ours is there that should not be. */
  private boolean isHeld(String node, boolean stays) {
    Set<String> holders = context.engine().holds().read(node).byHolder().keySet();
    return holders.contains(context.settings().holder())
        || (!stays && holders.contains(tieBreaker()));
  }

  /** A drain of this boot may begin at any moment, so that is asked again with each try. */
  private void change(String node, String done, Function<Holds, Holds.Change> operation) {
    NodeHolds holds = context.engine().holds();
    Holds after =
        holds.record(
            holds.change(
                node, now -> isNeeded() ? new Holds.Change(now, List.of()) : operation.apply(now)));
    boolean others = after.unschedulable() && !after.byHolder().containsKey(tieBreaker());
    context
        .journal()
        .line("node %s is back: %s".formatted(node, others ? "others keep it cordoned" : done));
  }

  /** A node that is a tie-breaker no longer loses that hold, too. */
  private Holds.Change released(Holds now, String holder) {
    return now.release(holder).then(holds -> holds.release(tieBreaker()));
  }

  /** In one patch, so that the node is never schedulable in between. */
  private Holds.Change kept(Holds now, String holder) {
    Hold hold = Hold.of(tieBreaker(), "tie-breaker", context.kube().clock().instant());
    return now.place(hold).then(holds -> holds.release(holder));
  }

  private String tieBreaker() {
    return "tie-breaker/" + context.settings().node();
  }

  private boolean isNeeded() {
    EdgeDrain drain = drains.drain();
    return drain.isActive() || drain.heldSince().isPresent();
  }

  private boolean isTieBreaker() {
    String uuid = context.settings().nodeUuid();
    return !uuid.isEmpty()
        && context
            .files()
            .clusterConfig()
            .filter(config -> config.tieBreaker().equals(uuid))
            .isPresent();
  }

  @Override
  public void close() {
    loop.close();
  }
}
