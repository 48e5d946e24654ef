package dev.drydock.app.operator;

import dev.drydock.drain.kube.Drains;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All controllers, run by one process of a cluster at a time: the one that holds the Lease. Closed,
 * it gives the Lease back, so that the next one need not wait until it expires.
 */
public final class Operator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Operator.class);

  static final String LEASE = "drydock-operator";
  private static final Duration LEASE_DURATION = Duration.ofSeconds(15);
  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final KubernetesClient client;
  private final String namespace;
  private final String identity;
  private final Drains.Options options;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Controllers controllers;
  private @Nullable Drains drains;
  private @Nullable AutoCloseable running;
  private @Nullable Election election;
  private boolean closed;

  /** What works beside the engine while this process leads, until closed. */
  @FunctionalInterface
  public interface Controllers {
    AutoCloseable start(Drains engine);
  }

  private record Election(LeaderElector elector, CompletableFuture<?> term) {
    /** The library could do so when it is cancelled, but does not wait until it is done. */
    void giveBack() {
      term.cancel(true);
      LOG.info(elector.release() ? "gave the Lease back" : "did not have the Lease");
    }
  }

  /**
   * Serves DrainRequests and keeps holds, and lets these controllers work as well.
   *
   * @param namespace where the Lease is
   * @param identity of this process among those that want the Lease
   */
  Operator(KubernetesClient client, String namespace, String identity, Controllers controllers) {
    this(client, namespace, identity, Drains.Options.DEFAULT, controllers);
  }

  /**
   * Serves all kinds with the usual settings and an engine that works in a certain way; metrics,
   * health and admission are not served.
   */
  public Operator(
      KubernetesClient client, String namespace, String identity, Drains.Options options) {
    this(client, namespace, identity, options, MaintenanceControllers.usual(client, namespace));
  }

  private Operator(
      KubernetesClient client,
      String namespace,
      String identity,
      Drains.Options options,
      Controllers controllers) {
    this.client = client;
    this.namespace = namespace;
    this.identity = identity;
    this.options = options;
    this.controllers = controllers;
  }

  /** Works without asking for the Lease. */
  public synchronized void lead() {
    if (closed || drains != null) {
      return;
    }
    LOG.info("leading: what is asked for is served, holds are kept");
    Drains engine = new Drains(client, options);
    drains = engine;
    running = controllers.start(engine);
    engine.serveRequests();
    engine.keepHolds();
  }

  private synchronized void follow() {
    if (drains != null) {
      LOG.info("no longer leading");
      end(running);
      drains.close();
      drains = null;
    }
  }

  private static void end(@Nullable AutoCloseable controllers) {
    try {
      if (controllers != null) {
        controllers.close();
      }
    } catch (Exception failed) {
      LOG.warn("controllers did not end in order: {}", failed.getMessage());
    }
  }

  /** Leads whenever it holds the Lease; returns when closed. */
  void leadWhenElected() {
    while (true) {
      CompletableFuture<?> term = elect();
      if (term == null) {
        return;
      }
      try {
        term.join();
      } catch (CancellationException _) {
        awaitClose(); // only closing cancels; the Lease is given back before the connection ends
        return;
      } catch (CompletionException broken) {
        LOG.warn("the election broke off, and begins again: {}", broken.getMessage());
      }
    }
  }

  private static void tellLeader(@Nullable String leader) {
    if (leader != null) {
      LOG.info("the leader is {}", leader);
    }
  }

  private synchronized @Nullable CompletableFuture<?> elect() {
    if (closed) {
      return null;
    }
    LeaderCallbacks callbacks = new LeaderCallbacks(this::lead, this::follow, Operator::tellLeader);
    LeaderElector elector =
        client
            .leaderElector()
            .withConfig(
                new LeaderElectionConfigBuilder()
                    .withName(LEASE)
                    .withLock(new LeaseLock(namespace, LEASE, identity))
                    .withLeaseDuration(LEASE_DURATION)
                    .withRenewDeadline(RENEW_DEADLINE)
                    .withRetryPeriod(RETRY)
                    .withLeaderCallbacks(callbacks)
                    .build())
            .build();
    CompletableFuture<?> term = elector.start();
    election = new Election(elector, term);
    return term;
  }

  void awaitClose() {
    try {
      end.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    Election current;
    synchronized (this) {
      closed = true;
      current = election;
    }
    follow();
    if (current != null) {
      current.giveBack();
    }
    end.countDown();
  }
}
