package dev.drydock.app.operator;

import dev.drydock.drain.kube.DrainEngine;
import dev.drydock.kube.Election;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
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
  private static final Duration LEASE_FREE = Duration.ofSeconds(15);
  private static final Duration RENEW_EVERY = Duration.ofSeconds(2);

  private final KubernetesClient client;
  private final String namespace;
  private final String identity;
  private final DrainEngine.Options options;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Controllers controllers;
  private @Nullable DrainEngine drainEngine;
  private @Nullable AutoCloseable running;
  private @Nullable Election election;
  private boolean closed;

  /** What works beside the engine while this process leads, until closed. */
  @FunctionalInterface
  public interface Controllers {
    AutoCloseable start(DrainEngine engine);
  }

  /**
   * Serves DrainRequests and keeps holds, and lets these controllers work as well.
   *
   * @param namespace where the Lease is
   * @param identity of this process among those that want the Lease
   */
  Operator(KubernetesClient client, String namespace, String identity, Controllers controllers) {
    this(client, namespace, identity, DrainEngine.Options.DEFAULT, controllers);
  }

  /**
   * Serves all kinds with the usual settings and an engine that works in a certain way; metrics,
   * health and admission are not served.
   */
  public Operator(
      KubernetesClient client, String namespace, String identity, DrainEngine.Options options) {
    this(client, namespace, identity, options, LeaderControllers.usual(client, namespace));
  }

  private Operator(
      KubernetesClient client,
      String namespace,
      String identity,
      DrainEngine.Options options,
      Controllers controllers) {
    this.client = client;
    this.namespace = namespace;
    this.identity = identity;
    this.options = options;
    this.controllers = controllers;
  }

  /** Works without asking for the Lease. */
  public synchronized void lead() {
    if (closed || drainEngine != null) {
      return;
    }
    LOG.info("leading: what is asked for is served, holds are kept");
    DrainEngine engine = new DrainEngine(client, options);
    drainEngine = engine;
    running = controllers.start(engine);
    engine.serveRequests();
    engine.keepHolds();
  }

  private synchronized void follow() {
    if (drainEngine != null) {
      LOG.info("no longer leading");
      end(running);
      drainEngine.close();
      drainEngine = null;
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
    Election mine;
    synchronized (this) {
      if (closed) {
        return;
      }
      mine =
          new Election(
              client,
              new Election.LeaseSettings(namespace, LEASE, identity, LEASE_FREE, RENEW_EVERY),
              this::lead,
              this::follow);
      election = mine;
    }
    mine.run();
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
      current.close();
    }
    end.countDown();
  }
}
