package dev.drydock.sim.kubelet;

import java.time.Instant;

/** The current action of a node. */
sealed interface NodeStep {
  /** The resulting state for the node's pods. */
  Host.State state();

  /** No heartbeats and no pod work until the Node changes. */
  record Silence() implements NodeStep {
    @Override
    public Host.State state() {
      return Host.State.SILENT;
    }
  }

  /** Report NotReady: the machine goes down. */
  record BeginReboot() implements NodeStep {
    @Override
    public Host.State state() {
      return Host.State.REBOOTING;
    }
  }

  /** The machine is down until this time; no heartbeats. */
  record Reboot(Instant until) implements NodeStep {
    @Override
    public Host.State state() {
      return Host.State.REBOOTING;
    }
  }

  /** Report Ready with this boot ID: the machine is up again. */
  record FinishReboot(String bootId) implements NodeStep {
    @Override
    public Host.State state() {
      return Host.State.REBOOTING;
    }
  }

  /**
   * Report Ready, because another writer, most likely the node controller, marked the node
   * unreachable.
   */
  record Recover() implements NodeStep {
    @Override
    public Host.State state() {
      return Host.State.UP;
    }
  }

  /** Normal heartbeats. */
  record Beat() implements NodeStep {
    @Override
    public Host.State state() {
      return Host.State.UP;
    }
  }
}
