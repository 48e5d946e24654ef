package dev.drydock.lifecycle.driver;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.decide.DriverDecider;
import dev.drydock.lifecycle.decide.DriverInput;
import dev.drydock.lifecycle.decide.DriverStep;
import dev.drydock.lifecycle.decide.SlaPolicy;
import dev.drydock.lifecycle.plugin.Driver;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Drains and uncordons one node on behalf of LifecycleEvents, with the engine and a hold of its
 * own. One loop does everything, as {@link DriverDecider} says; calls are answered by it later.
 */
public final class DrainDriver implements Driver, AutoCloseable {
  private final Settings settings;
  private final Kube kube;
  private final LifecycleNodeCaches caches;
  private final DriverCalls calls;
  private final DriverActions actions;
  private final ControlLoop loop;
  private final Runnable unsubscribe;
  private boolean resumed;

  /**
   * How it drains.
   *
   * @param holder who holds the node for it
   * @param gracePeriodSeconds negative for each pod's own
   * @param uncordonWhenCancelled what becomes of the node when a drain's event is deleted
   */
  public record Settings(
      String node,
      String holder,
      long gracePeriodSeconds,
      SlaPolicy atSla,
      boolean uncordonWhenCancelled) {
    DriverInput.Policy policy() {
      return new DriverInput.Policy(node, atSla, uncordonWhenCancelled);
    }
  }

  public DrainDriver(Settings settings, Kube kube, DrainEngine engine, LifecycleNodeCaches caches) {
    this.settings = settings;
    this.kube = kube;
    this.caches = caches;
    loop = kube.loop("drain-driver", settings.node(), this::step);
    calls = new DriverCalls(settings.node(), kube.clock(), loop::wake);
    actions = new DriverActions(settings, kube, engine, caches, calls, loop::wake);
    unsubscribe = caches.onChange(loop::wake);
  }

  /** Begins, also with a drain that an earlier process left without an event. */
  public void start() {
    loop.wake();
  }

  @Override
  public CompletableFuture<LifecycleTransitionResponse> start(
      StartLifecycleTransitionRequest request) {
    return calls.add(request);
  }

  @Override
  public CompletableFuture<LifecycleTransitionResponse> end(EndLifecycleTransitionRequest request) {
    return calls.add(request);
  }

  /** Pods that its drain still waits for. */
  public int remaining() {
    return actions.remaining();
  }

  /** Makes as many steps as can be made now. */
  private Instant step() {
    actions.hear();
    while (true) {
      DriverStep next = DriverDecider.decide(look());
      switch (next) {
        case DriverStep.Wait(Optional<Instant> until) -> {
          return until.orElse(Instant.MAX);
        }
        case DriverStep.Resume() -> {
          actions.resume();
          resumed = true;
        }
        default -> actions.perform(next);
      }
    }
  }

  private DriverInput look() {
    return new DriverInput(
        settings.policy(),
        calls.pending(),
        actions.drain(),
        caches.events().stream().map(DrainDriver::seen).toList(),
        caches.areEventsKnown(),
        caches.node().filter(node -> !node.unschedulable()).isPresent(),
        resumed,
        kube.clock().instant());
  }

  private static DriverInput.SeenEvent seen(LifecycleEventObject event) {
    return new DriverInput.SeenEvent(event.facts(), event.behalf(), event.isNodeHeld());
  }

  /** Ends where it is, without a further write. */
  @Override
  public void close() {
    unsubscribe.run();
    loop.close();
    calls.close();
    actions.close();
  }
}
