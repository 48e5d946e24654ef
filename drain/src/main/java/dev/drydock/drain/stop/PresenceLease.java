package dev.drydock.drain.stop;

import dev.drydock.kube.Election;
import dev.drydock.kube.Election.LeaseSettings;
import dev.drydock.kube.Kube;
import org.jspecify.annotations.Nullable;

/**
 * The Lease of a process that competes with no other: it only lets {@code drydock stop} find the
 * process, and see that it obeys.
 */
public final class PresenceLease implements AutoCloseable {
  private final Kube kube;
  private final String cordNamespace;
  private final Election election;
  private @Nullable StopAcknowledgement acknowledgement;

  /**
   * @param cordNamespace of the andon cord that the process obeys
   */
  public PresenceLease(Kube kube, LeaseSettings settings, String cordNamespace) {
    this.kube = kube;
    this.cordNamespace = cordNamespace;
    election = new Election(kube, settings, () -> {}, () -> {});
  }

  public void start() {
    election.start();
    acknowledgement = new StopAcknowledgement(kube, cordNamespace, election);
  }

  @Override
  public void close() {
    if (acknowledgement != null) {
      acknowledgement.close();
    }
    election.close();
  }
}
