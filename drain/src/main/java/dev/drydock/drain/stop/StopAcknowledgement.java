package dev.drydock.drain.stop;

import dev.drydock.kube.Election;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;

/**
 * Says on a process's Lease that it has seen the andon cord pulled, so that {@code drydock stop}
 * can tell who obeys.
 */
public final class StopAcknowledgement implements AutoCloseable {
  /** The version of the cord that was seen; absent while it is not pulled. */
  static final String SEEN = "drydock.dev/stop-seen";

  private final Election election;
  private final Watch<String> cord;

  public StopAcknowledgement(Kube kube, String cordNamespace, Election election) {
    this.election = election;
    cord =
        kube.watches()
            .of(
                new AndonCord(kube, cordNamespace).versions(),
                Watch.Listener.waking(this::acknowledge));
    cord.start();
  }

  private void acknowledge() {
    if (cord.state().unsynced().isEmpty()) {
      election.annotate(SEEN, cord.state().items().stream().findFirst().orElse(null));
    }
  }

  @Override
  public void close() {
    cord.close();
  }
}
