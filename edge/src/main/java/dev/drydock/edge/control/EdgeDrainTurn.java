package dev.drydock.edge.control;

import dev.drydock.drain.stop.StopWitnesses;
import dev.drydock.kube.Election;
import dev.drydock.kube.Kube;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets one node at a time check that no other is out of service and cordon itself. The Lease is
 * held for that moment only; afterwards the hold on the Node keeps the turn, also over a reboot.
 */
final class EdgeDrainTurn implements AutoCloseable {
  static final String LEASE = "drydock-edge-turn";

  static final String NAMESPACE = StopWitnesses.AGENT_NAMESPACE;

  private final Kube kube;
  private final String identity;
  private final Runnable changed;
  private @Nullable Election election;
  private boolean ours;

  EdgeDrainTurn(Kube kube, String identity, Runnable changed) {
    this.kube = kube;
    this.identity = identity;
    this.changed = changed;
  }

  /** Takes part in the election, or leaves it. */
  synchronized void want(boolean wanted) {
    if (wanted && election == null) {
      election =
          new Election(
              kube,
              Election.LeaseSettings.ofController(NAMESPACE, LEASE, identity),
              () -> took(true),
              () -> took(false));
      election.start();
    } else if (!wanted && election != null) {
      election.close();
      election = null;
      ours = false;
    }
  }

  private void took(boolean now) {
    synchronized (this) {
      ours = now && election != null;
    }
    changed.run();
  }

  synchronized boolean isOurs() {
    return ours;
  }

  /** Why it is not this node's turn; empty if it is. */
  synchronized Optional<String> waitsFor() {
    if (ours) {
      return Optional.empty();
    }
    Optional<String> problem = election == null ? Optional.empty() : election.problem();
    return Optional.of("waits for its turn" + problem.map(": "::concat).orElse(""));
  }

  @Override
  public void close() {
    want(false);
  }
}
