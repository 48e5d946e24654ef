package dev.drydock.bench;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleEventStatus;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The harness's own view of one LifecycleEvent, with its own watch. */
final class LifecycleWatch extends WatchedState<CompatLifecycleEvent> {
  private final String event;
  private @Nullable LifecycleEventStatus status;
  private long gone;

  LifecycleWatch(KubernetesClient client, String event) {
    this.event = event;
    informs(client.resources(CompatLifecycleEvent.class).inform(this));
  }

  @Override
  public synchronized void onAdd(CompatLifecycleEvent seen) {
    if (seen.getMetadata().getName().equals(event)) {
      status = seen.getStatus();
      changed();
    }
  }

  @Override
  public synchronized void onDelete(CompatLifecycleEvent seen, boolean stateUnknown) {
    if (seen.getMetadata().getName().equals(event)) {
      gone = System.nanoTime();
      onAdd(seen);
    }
  }

  /** Waits until it has succeeded and is deleted; returns the time on {@link System#nanoTime}. */
  synchronized long awaitSuccess(Duration limit) {
    await("LifecycleEvent " + event + " is deleted", limit, () -> gone != 0);
    if (status == null || status.claimStatus() != ClaimStatus.Succeeded) {
      throw new BenchFailure("LifecycleEvent %s did not succeed: %s".formatted(event, status));
    }
    return gone;
  }

  /** Returns when it is claimed and its message says what it waits for. */
  void awaitWords(Duration limit) {
    await(
        "LifecycleEvent " + event + " says what holds its drain up",
        limit,
        () ->
            status != null
                && status.claimStatus() == ClaimStatus.Claimed
                && status.message() != null
                && !status.message().isEmpty());
  }
}
