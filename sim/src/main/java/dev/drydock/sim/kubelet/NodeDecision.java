package dev.drydock.sim.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drydock.sim.kubelet.NodeStep.Beat;
import dev.drydock.sim.kubelet.NodeStep.BeginReboot;
import dev.drydock.sim.kubelet.NodeStep.FinishReboot;
import dev.drydock.sim.kubelet.NodeStep.Reboot;
import dev.drydock.sim.kubelet.NodeStep.Recover;
import dev.drydock.sim.kubelet.NodeStep.Silence;
import java.time.Instant;
import java.util.UUID;

/** Decides what a node does, from its API object, the knobs and the time. */
final class NodeDecision {
  private NodeDecision() {}

  static NodeStep decide(NodeView node, KubeletKnobs fleet, Instant now) {
    KubeletKnobs knobs = node.reading().knobs().orElse(fleet);
    if (knobs.silent()) {
      return new Silence();
    }
    String name = node.identity().name();
    Since rebooting = node.rebooting();
    if (rebooting != null) {
      Instant until = rebooting.instant().plus(knobs.rebootTakes());
      return now.isBefore(until)
          ? new Reboot(until)
          // The request may have been withdrawn meanwhile; the boot ID is new anyway.
          : new FinishReboot(bootId(name, knobs.reboot().orElse(rebooting.stamped().toString())));
    }
    if (knobs
        .reboot()
        .filter(request -> !bootId(name, request).equals(node.bootId()))
        .isPresent()) {
      return new BeginReboot();
    }
    return node.isWell() ? new Beat() : new Recover();
  }

  static Host host(NodeView node, KubeletKnobs fleet, Instant now) {
    return new Host(decide(node, fleet, now).state(), node.bootId(), node.address());
  }

  /**
   * The boot ID that a reboot request leads to, so that the boot ID shows whether a request was
   * served.
   */
  static String bootId(String node, String request) {
    return UUID.nameUUIDFromBytes((node + "\n" + request).getBytes(UTF_8)).toString();
  }
}
