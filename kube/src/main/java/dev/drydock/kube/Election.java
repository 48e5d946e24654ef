package dev.drydock.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leader election: only the process that holds the Lease is active. Closing it releases the Lease,
 * so that the next process does not have to wait until it expires.
 */
public final class Election implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Election.class);

  private final KubernetesClient client;
  private final LeaseSettings lease;
  private final Runnable lead;
  private final Runnable follow;
  private final CountDownLatch end = new CountDownLatch(1);
  private @Nullable LeaderElector elector;
  private @Nullable CompletableFuture<?> term;
  private volatile Optional<String> problem = Optional.empty();
  private boolean closed;

  /**
   * The Lease, the candidate's identity, and the renewal times.
   *
   * @param identity of this process among the candidates
   * @param free a Lease that was not renewed for this long is free
   */
  public record LeaseSettings(
      String namespace, String lease, String identity, Duration free, Duration renewEvery) {}

  /**
   * @param lead called when this process acquires the Lease
   * @param follow called when it loses the Lease; also if it never had it
   */
  public Election(KubernetesClient client, LeaseSettings lease, Runnable lead, Runnable follow) {
    this.client = client;
    this.lease = lease;
    this.lead = lead;
    this.follow = follow;
  }

  /** Takes part in the election until closed. */
  public void run() {
    while (true) {
      CompletableFuture<?> now = elect();
      if (now == null) {
        return;
      }
      try {
        now.join();
      } catch (CancellationException _) {
        awaitClose(); // only closing cancels it; the Lease is released before the connection closes
        return;
      } catch (CompletionException broken) {
        LOG.warn("leader election failed and starts again: {}", broken.getMessage());
      }
    }
  }

  private synchronized @Nullable CompletableFuture<?> elect() {
    if (closed) {
      return null;
    }
    LeaderElector next =
        client
            .leaderElector()
            .withConfig(
                new LeaderElectionConfigBuilder()
                    .withName(lease.lease())
                    .withLock(new WatchedLock())
                    .withLeaseDuration(lease.free())
                    .withRenewDeadline(lease.free().multipliedBy(2).dividedBy(3))
                    .withRetryPeriod(lease.renewEvery())
                    .withLeaderCallbacks(new LeaderCallbacks(lead, follow, Election::tellLeader))
                    .build())
            .build();
    elector = next;
    term = next.start();
    return term;
  }

  /** Why this process cannot take part in the election at present, if so. */
  public Optional<String> problem() {
    return problem;
  }

  /** Keeps what the server says to each request. */
  private final class WatchedLock extends LeaseLock {
    WatchedLock() {
      super(lease.namespace(), lease.lease(), lease.identity());
    }

    @Override
    public synchronized LeaderElectionRecord get(KubernetesClient kubernetes) {
      try {
        return super.get(kubernetes);
      } catch (KubernetesClientException failure) {
        throw note(failure);
      }
    }

    @Override
    public synchronized void create(KubernetesClient kubernetes, LeaderElectionRecord next) {
      try {
        super.create(kubernetes, next);
        problem = Optional.empty();
      } catch (KubernetesClientException failure) {
        throw note(failure);
      }
    }

    @Override
    public synchronized void update(KubernetesClient kubernetes, LeaderElectionRecord next) {
      try {
        super.update(kubernetes, next);
        problem = Optional.empty();
      } catch (KubernetesClientException failure) {
        throw note(failure);
      }
    }

    private KubernetesClientException note(KubernetesClientException failure) {
      String why = "Lease %s: %s".formatted(lease.lease(), failure.getMessage());
      if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT
          && !Optional.of(why).equals(problem)) {
        LOG.warn("{}", why);
        problem = Optional.of(why);
      }
      return failure;
    }
  }

  private static void tellLeader(@Nullable String leader) {
    if (leader != null) {
      LOG.info("the leader is {}", leader);
    }
  }

  private void awaitClose() {
    try {
      end.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    LeaderElector current;
    synchronized (this) {
      closed = true;
      current = elector;
    }
    follow.run();
    if (current != null && term != null) {
      // The library can release it on cancellation, but does not wait for the request to finish.
      term.cancel(true);
      LOG.info(current.release() ? "released the Lease" : "did not hold the Lease");
    }
    end.countDown();
  }
}
