package dev.drydock.sim.kubelet;

import java.time.Instant;

/** What a node does at present. */
sealed interface NodeStep {
  /** The state in which this leaves the node's pods. */
  Host.State state();

  /** Neither heartbeat nor pod work, until the Node changes. */
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

  /** The machine is down until then; no heartbeat. */
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

  /** Report Ready: somebody else, most likely the node controller, holds the node for lost. */
  record Recover() implements NodeStep {
    @Override
    public Host.State state() {
      return Host.State.UP;
    }
  }

  /** Heartbeat as usual. */
  record Beat() implements NodeStep {
    @Override
    public Host.State state() {
      return Host.State.UP;
    }
  }
}
