package dev.drydock.bench;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Kube;
import dev.drydock.kube.WakeUp;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.api.NodeTransitionReporter;
import dev.drydock.lifecycle.decide.LifecycleEventFacts;
import dev.drydock.lifecycle.decide.LifecycleRef;
import dev.drydock.lifecycle.decide.TransitionFacts;
import dev.drydock.lifecycle.plugin.PluginRegistry;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A model of the published claimer for kubelets, not that program itself, which needs its own
 * kubelet: it polls at a fixed rate, takes one step each time (claim, start, end, finish), and
 * writes the Node's condition after every call to the driver, changed or not.
 */
final class TickingClaimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TickingClaimer.class);
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String IDENTITY = "10s-ticks";

  private final KubernetesClient client;
  private final Duration period;
  private final String node;
  private final Kube kube;
  private final LifecycleNodeCaches caches;
  private final LifecycleEventWriter writer;
  private final NodeTransitionReporter reporter;
  private final PluginRegistry registry;
  private final WakeUp wakeUp = new WakeUp();
  private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();

  /**
   * @param client closed with this
   */
  TickingClaimer(KubernetesClient client, String node, Path registrations, Duration period) {
    this.client = client;
    this.period = period;
    this.node = node;
    kube = Kube.of(client);
    caches = new LifecycleNodeCaches(kube, node);
    writer = new LifecycleEventWriter(kube.http());
    reporter = new NodeTransitionReporter(kube);
    registry = new PluginRegistry(kube, registrations, wakeUp::ring);
  }

  /** Returns when it can see the cluster and this driver. */
  void awaitDriver(String driver) {
    var _ = caches.onChange(wakeUp::ring);
    caches.start();
    try {
      registry.start();
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (caches.unsynced().isPresent() || !isFound(driver)) {
        Duration left = Duration.ofNanos(deadline - System.nanoTime());
        if (!left.isPositive()) {
          throw new BenchFailure("waited %d s for driver %s".formatted(LIMIT.toSeconds(), driver));
        }
        wakeUp.await(left);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw BenchFailure.interrupted(e);
    }
  }

  private boolean isFound(String driver) {
    PluginRegistry.Found found = registry.drivers().get(driver);
    return found != null && found.goneSince().isEmpty();
  }

  /**
   * @param phase the fraction of a period before the first tick
   */
  void start(double phase) {
    var _ =
        ticks.scheduleAtFixedRate(
            this::tick, (long) (phase * period.toNanos()), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void tick() {
    try {
      Optional<LifecycleEventObject> event = caches.events().stream().findFirst();
      if (event.isPresent()) {
        step(event.get());
      }
    } catch (ApiFailure later) {
      LOG.warn("{}; retrying at the next tick", later.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void step(LifecycleEventObject event) throws InterruptedException {
    LifecycleEventFacts facts = event.facts();
    TransitionFacts transition =
        caches.transitions().get(new LifecycleRef(facts.ref().group(), facts.transition()));
    if (facts.claim().isTerminal()) {
      writer.releaseAndDelete(event);
    } else if (transition == null) {
      LOG.warn("LifecycleEvent {}: no such transition", facts.ref());
    } else if (facts.claim() == ClaimStatus.Pending) {
      Optional<Instant> sla = transition.sla().map(Clock.systemUTC().instant()::plus);
      var _ = writer.claim(writer.mark(event, IDENTITY), transition.driver(), sla);
    } else {
      drive(event, transition, caches.node().orElseThrow());
    }
  }

  private void drive(
      LifecycleEventObject event, TransitionFacts transition, LifecycleNodeObject now)
      throws InterruptedException {
    if (now.reason().equals(transition.end())) {
      finish(event, ClaimStatus.Succeeded, "");
      return;
    }
    LifecycleTransitionResponse answer =
        now.reason().equals(transition.start()) ? end(event, transition) : begin(event, transition);
    if (answer.getError().isEmpty()) {
      var _ =
          reporter.publish(unread(now), answer.getLifecycleCondition(), event.facts().transition());
    } else {
      finish(event, ClaimStatus.Failed, answer.getError());
    }
  }

  /** Writes whatever it does not know to be current. */
  private static LifecycleNodeObject unread(LifecycleNodeObject node) {
    return new LifecycleNodeObject(node.object(), new Conditions(List.of()));
  }

  private void finish(LifecycleEventObject event, ClaimStatus outcome, String why) {
    writer.releaseAndDelete(writer.end(event, outcome, why));
  }

  private LifecycleTransitionResponse begin(LifecycleEventObject event, TransitionFacts transition)
      throws InterruptedException {
    return heard(
        transition,
        registry.start(
            transition.driver(),
            StartLifecycleTransitionRequest.newBuilder()
                .setTransitionName(transition.ref().name())
                .setEventName(event.facts().ref().name())
                .setNodeName(node)
                .setStart(transition.start())
                .setEnd(transition.end())
                .build()));
  }

  private LifecycleTransitionResponse end(LifecycleEventObject event, TransitionFacts transition)
      throws InterruptedException {
    return heard(
        transition,
        registry.end(
            transition.driver(),
            EndLifecycleTransitionRequest.newBuilder()
                .setTransitionName(transition.ref().name())
                .setEventName(event.facts().ref().name())
                .setNodeName(node)
                .setStart(transition.start())
                .setEnd(transition.end())
                .build()));
  }

  /**
   * The published driver answers at once that a drain is in progress; ours blocks its caller until
   * there is news. Half a tick without news counts as that answer, which favours this claimer: it
   * may learn of the end meanwhile.
   */
  private LifecycleTransitionResponse heard(
      TransitionFacts transition, CompletableFuture<LifecycleTransitionResponse> call)
      throws InterruptedException {
    try {
      return call.get(period.toNanos() / 2, TimeUnit.NANOSECONDS);
    } catch (TimeoutException noNews) {
      call.cancel(true);
      return LifecycleTransitionResponse.newBuilder()
          .setLifecycleCondition(transition.start())
          .setNodeName(node)
          .build();
    } catch (ExecutionException failed) {
      return LifecycleTransitionResponse.newBuilder()
          .setError(String.valueOf(failed.getCause()))
          .build();
    }
  }

  @Override
  public void close() {
    ticks.shutdownNow();
    registry.close();
    caches.close();
    kube.close();
    client.close();
  }
}
