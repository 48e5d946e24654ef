package dev.drydock.sim.kubelet;

import dev.drydock.sim.kubelet.ApiWrites.Outcome;
import dev.drydock.sim.kubelet.NodeStep.Beat;
import dev.drydock.sim.kubelet.NodeStep.BeginReboot;
import dev.drydock.sim.kubelet.NodeStep.FinishReboot;
import dev.drydock.sim.kubelet.NodeStep.Reboot;
import dev.drydock.sim.kubelet.NodeStep.Recover;
import dev.drydock.sim.kubelet.NodeStep.Silence;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries out the decisions for one node, and sends its heartbeats. */
final class SimulatedNode {
  static final Duration LEASE_EVERY = Duration.ofSeconds(10);
  static final Duration STATUS_EVERY = Duration.ofMinutes(5);

  private final String name;
  private final String uid;
  private final ObservedCluster observed;
  private final Serial serial;
  private List<String> reported = List.of();
  private Instant nextRenewal = Instant.MIN;
  private Instant nextStatus;

  SimulatedNode(String name, String uid, ObservedCluster observed) {
    this.name = name;
    this.uid = uid;
    this.observed = observed;
    this.serial = new Serial(observed.time(), observed.nodeTurns(), this::step);
    this.nextStatus = nextTurn(name, STATUS_EVERY, observed.time().now());
  }

  /** The last observed Node; null before that, or if another Node has its name. */
  @Nullable NodeView view() {
    NodeView view = observed.observedNode(name);
    return view != null && view.identity().uid().equals(uid) ? view : null;
  }

  String uid() {
    return uid;
  }

  void kick() {
    serial.kick();
  }

  void stop() {
    serial.stop();
  }

  private @Nullable Instant step() throws IOException {
    NodeView node = view();
    if (node == null) {
      return null;
    }
    reported = observed.report(KnobWarnings.aboutNode(name), node.reading().problems(), reported);
    Instant now = observed.time().now();
    return switch (NodeDecision.decide(node, observed.defaults(), now)) {
      case Silence _ -> null;
      case Reboot reboot -> reboot.until();
      case BeginReboot _ -> write(node, NodeObjects.rebootBegun(now), now);
      case FinishReboot boot -> {
        observed.api().renewLease(node.identity(), now);
        yield write(node, NodeObjects.rebootFinished(node, boot.bootId(), now), now);
      }
      case Recover _ -> {
        observed.api().renewLease(node.identity(), now);
        yield write(node, wellStatus(node, now), now);
      }
      case Beat _ -> beat(node, now);
    };
  }

  private Instant write(NodeView node, NodeStatus status, Instant now) throws IOException {
    observed.api().patchNodeStatus(node.identity(), status);
    return now.plus(ObservedCluster.RECHECK);
  }

  private Instant beat(NodeView node, Instant now) throws IOException {
    if (!now.isBefore(nextRenewal)) {
      observed.api().renewLease(node.identity(), now);
      nextRenewal = nextTurn(name, LEASE_EVERY, now);
    }
    if (!now.isBefore(nextStatus)
        && observed.api().patchNodeStatus(node.identity(), wellStatus(node, now)) == Outcome.DONE) {
      nextStatus = nextTurn(name, STATUS_EVERY, now);
    }
    return nextRenewal.isBefore(nextStatus) ? nextRenewal : nextStatus;
  }

  private static NodeStatus wellStatus(NodeView node, Instant now) {
    return new NodeStatusBuilder()
        .addAllToConditions(NodeObjects.well(node.conditions(), now))
        .build();
  }

  /** Each name has its own offset in the period, so that the heartbeats of a fleet are spread. */
  static Instant nextTurn(String name, Duration period, Instant now) {
    long millis = period.toMillis();
    long spread = (name.hashCode() * 0x9E3779B97F4A7C15L) >>> 24;
    long offset = spread % millis;
    long turns = Math.floorDiv(now.toEpochMilli() - offset, millis) + 1;
    return Instant.ofEpochMilli(turns * millis + offset);
  }
}
