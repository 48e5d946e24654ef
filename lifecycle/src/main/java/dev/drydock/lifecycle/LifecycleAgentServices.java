package dev.drydock.lifecycle;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.lifecycle.claim.Drivers;
import dev.drydock.lifecycle.claim.LeaseWait;
import dev.drydock.lifecycle.driver.DrainDriver;
import dev.drydock.lifecycle.driver.TransitionPublisher;
import dev.drydock.lifecycle.plugin.Driver;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of an agent that work with the cluster: the drain driver and the claimer of one node.
 * How the two reach each other, and when the claimer may work, is up to the owner.
 */
final class LifecycleAgentServices implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LifecycleAgentServices.class);

  private final Kube kube;
  private final LifecycleAgentSettings settings;
  private final Drivers drivers;
  private final Claimer.Outcomes outcomes;
  private final DrainEngine engine;
  private final LifecycleNodeCaches caches;
  private final DrainDriver driver;
  private final TransitionPublisher publisher;
  private @Nullable Claimer claimer;
  private @Nullable LeaseWait leaseWait;
  private volatile boolean kubeletClaims;

  LifecycleAgentServices(
      Kube kube, LifecycleAgentSettings settings, Drivers drivers, Claimer.Outcomes outcomes) {
    this.kube = kube;
    this.settings = settings;
    this.drivers = drivers;
    this.outcomes = outcomes;
    engine =
        new DrainEngine(
            kube,
            DrainEngine.Options.DEFAULT
                .withAnswerWithin(settings.evictionTimeout())
                .withEvictionLabels(Map.of(LifecycleNames.EVICTED_BY, "agent")));
    caches = new LifecycleNodeCaches(kube, settings.node());
    driver = new DrainDriver(settings.drain(), kube, engine, caches);
    publisher = new TransitionPublisher(kube, caches, settings.driverNames(), settings.sla());
  }

  void start() {
    new AndonCord(kube, settings.cordNamespace()).govern(engine, () -> {});
    caches.start();
    publisher.start();
    driver.start();
  }

  Driver driver() {
    return driver;
  }

  /** A kubelet that takes the driver claims events; ours would only be in its way. */
  void kubeletRegistered(boolean registered) {
    if (settings.claims() != LifecycleAgentSettings.Claims.AUTO || registered == kubeletClaims) {
      return;
    }
    kubeletClaims = registered;
    LOG.info(
        registered
            ? "the kubelet claims events; this claimer only finishes its current event"
            : "the kubelet claims no events; this claimer does");
    wake();
  }

  /** Drivers have come or gone. */
  synchronized void wake() {
    if (claimer != null) {
      claimer.wake();
    }
  }

  /**
   * Says on events why this agent claims none.
   *
   * @param problem why the node's Lease cannot be had at present, if so
   */
  void explain(Supplier<Optional<String>> problem) {
    LeaseWait wait = new LeaseWait(kube, settings.node(), caches, problem);
    wait.start();
    synchronized (this) {
      leaseWait = wait;
    }
  }

  synchronized void claim() {
    if (claimer != null) {
      return;
    }
    LOG.info("claiming the LifecycleEvents of node {}", settings.node());
    claimer =
        new Claimer(
            new Claimer.ClaimerContext(kube, settings.node(), settings.identity(), outcomes),
            caches,
            drivers,
            () -> kubeletClaims);
    claimer.start();
  }

  synchronized void stopClaiming() {
    if (claimer != null) {
      LOG.info("no longer claiming the LifecycleEvents of node {}", settings.node());
      claimer.close();
      claimer = null;
    }
  }

  /** Pods that the drain under way waits for. */
  int remaining() {
    return driver.remaining();
  }

  /** Stops; the next process continues. */
  @Override
  public void close() {
    stopClaiming();
    synchronized (this) {
      if (leaseWait != null) {
        leaseWait.close();
      }
    }
    publisher.close();
    driver.close();
    caches.close();
    engine.close();
  }
}
