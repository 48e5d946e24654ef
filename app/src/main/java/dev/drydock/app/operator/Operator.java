package dev.drydock.app.operator;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.kube.Election;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.maintenance.control.MaintenanceController;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
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
  private final CountDownLatch end = new CountDownLatch(1);
  private final Controllers controllers;
  private final RequestInterceptor hook;
  private @Nullable Kube kube;
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
    this(client, namespace, identity, RequestInterceptor.NONE, controllers);
  }

  /**
   * Serves all kinds with the usual settings; metrics, health and admission are not served.
   *
   * @param hook sees the requests of its engine
   */
  public Operator(
      KubernetesClient client, String namespace, String identity, RequestInterceptor hook) {
    this(client, namespace, identity, hook, LeaderControllers.usual(client, namespace));
  }

  private Operator(
      KubernetesClient client,
      String namespace,
      String identity,
      RequestInterceptor hook,
      Controllers controllers) {
    this.client = client;
    this.namespace = namespace;
    this.identity = identity;
    this.hook = hook;
    this.controllers = controllers;
  }

  /** Works without asking for the Lease. */
  public synchronized void lead() {
    if (closed || drainEngine != null) {
      return;
    }
    LOG.info("leading: what is asked for is served, holds are kept");
    kube = new Kube(new KubeHttp(client, hook, KubeHttp.PAGE_SIZE), TimeSource.REAL);
    DrainEngine engine = new DrainEngine(kube, DrainEngine.Options.DEFAULT);
    drainEngine = engine;
    running = controllers.start(engine);
    engine.serveRequests();
    engine.keepHolds(List.of(DrainRequestController.HOLD_OWNER, MaintenanceController.HOLD_OWNER));
  }

  private synchronized void follow() {
    if (drainEngine != null) {
      LOG.info("no longer leading");
      end(running);
      drainEngine.close();
      drainEngine = null;
      if (kube != null) {
        kube.close();
      }
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
