package dev.drydock.edge.worker;

import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.edge.decide.BootUncordon;
import dev.drydock.edge.decide.ClusterNodes;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.kube.ControlLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * After a boot: finds out how many nodes the cluster has, and lifts the cordon that an operation
 * has left. Cordons of others stay.
 */
final class BootController implements AutoCloseable {
  /** A cluster may grow after the boot. */
  private static final Duration RECOUNT = Duration.ofMinutes(5);

  private final EdgeContext context;
  private final EdgeApi api;
  private final DrainController drains;
  private final IntConsumer counted;
  private final ControlLoop loop;
  private boolean done;

  BootController(EdgeContext context, EdgeApi api, DrainController drains, IntConsumer counted) {
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
    boolean held =
        nodes.self().isPresent()
            && context.engine().holds().read(nodes.own()).byHolder().containsKey(holder);
    BootUncordon decision = BootUncordon.decide(nodes.self(), held, isNeeded(), isTieBreaker());
    switch (decision) {
      case RELEASE -> release(nodes.own(), holder);
      case LOOK_AGAIN, DONE -> {}
    }
    done = decision == BootUncordon.DONE;
    return done;
  }

  /** A drain of this boot may begin at any moment, so that is asked again with each try. */
  private void release(String node, String holder) {
    NodeHolds holds = context.engine().holds();
    Holds after =
        holds.record(
            holds.change(
                node, now -> isNeeded() ? new Holds.Change(now, List.of()) : now.release(holder)));
    context
        .journal()
        .line(
            "node %s is back: %s"
                .formatted(node, after.unschedulable() ? "others keep it cordoned" : "uncordoned"));
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
