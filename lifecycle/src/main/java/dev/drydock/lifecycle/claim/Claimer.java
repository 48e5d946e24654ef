package dev.drydock.lifecycle.claim;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.decide.ClaimDecider;
import dev.drydock.lifecycle.decide.ClaimInput;
import dev.drydock.lifecycle.decide.ClaimStep;
import dev.drydock.lifecycle.decide.LifecycleEventFacts;
import dev.drydock.lifecycle.decide.LifecycleRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims the LifecycleEvents of a node and has their drivers carry them out, one at a time, until
 * closed. All state is in the events, so another process that takes over continues. An event that
 * cannot be served is set aside until there is nothing else to do.
 */
public final class Claimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);

  private final ClaimerContext context;
  private final LifecycleNodeCaches caches;
  private final Drivers drivers;
  private final BooleanSupplier kubeletClaims;
  private final DriverCall call;
  private final ClaimActions actions;
  private final ControlLoop loop;
  private final Set<String> setAside = new HashSet<>();
  private final Set<String> warned = new HashSet<>();
  private final Map<String, Seen> unchanged = new HashMap<>();
  private final TransitionCleanup cleanup;
  private Optional<Instant> stalled = Optional.empty();
  private Instant lookingSince = Instant.MAX;
  private Runnable unsubscribe = () -> {};

  /** An event's version, and when it was first seen. */
  private record Seen(String version, Instant since) {}

  /** Gets the outcomes of events. */
  public interface Outcomes {
    Outcomes NONE = (transition, outcome, took) -> {};

    void ended(String transition, ClaimStatus outcome, Duration took);
  }

  /**
   * The node, the identity of the process, and the receiver of outcomes.
   *
   * @param identity of this process among those that want to claim
   */
  public record ClaimerContext(Kube kube, String node, String identity, Outcomes outcomes) {}

  public Claimer(
      ClaimerContext context,
      LifecycleNodeCaches caches,
      Drivers drivers,
      BooleanSupplier kubeletClaims) {
    this.context = context;
    this.caches = caches;
    this.drivers = drivers;
    this.kubeletClaims = kubeletClaims;
    loop = context.kube().loop("claimer", context.node(), this::step);
    call = new DriverCall(drivers, context.node(), context.kube().clock(), loop::wake);
    actions = new ClaimActions(context, caches, call);
    cleanup = new TransitionCleanup(context.kube(), context.node(), caches, drivers);
  }

  public void start() {
    lookingSince = context.kube().clock().instant();
    unsubscribe = caches.onChange(loop::wake);
    loop.wake();
    cleanup.start();
  }

  /** To be called when drivers come or go, or the kubelet begins to claim. */
  public void wake() {
    loop.wake();
    cleanup.wake();
  }

  private Instant step() {
    Optional<String> unsynced = caches.unsynced();
    if (unsynced.isPresent()) {
      LOG.debug("node {}: not everything is known: {}", context.node(), unsynced.get());
      stalled = Optional.empty(); // missing data does not count as stalled
      return Instant.MAX;
    }
    Collection<LifecycleEventObject> events = actions.events();
    see(events);
    ClaimInput input = input(events, event -> !setAside.contains(event.uid()));
    Map<String, String> waits = ClaimDecider.waits(input);
    input.events().forEach(event -> writeMessage(event, waits.getOrDefault(event.uid(), "")));
    ClaimStep step = ClaimDecider.decide(input);
    if (step instanceof ClaimStep.Idle && !setAside.isEmpty()) {
      input = input(events, _ -> true);
      step = ClaimDecider.decide(input);
    }
    note(step);
    perform(step);
    return nextLook(input, step);
  }

  private void see(Collection<LifecycleEventObject> events) {
    Set<String> uids = events.stream().map(LifecycleEventObject::uid).collect(Collectors.toSet());
    setAside.retainAll(uids);
    warned.retainAll(uids);
    unchanged.keySet().retainAll(uids);
    Instant now = context.kube().clock().instant();
    for (LifecycleEventObject event : events) {
      Seen known = unchanged.get(event.uid());
      if (known == null || !known.version().equals(event.version())) {
        unchanged.put(event.uid(), new Seen(event.version(), now));
      }
    }
  }

  private Map<String, Instant> unchanged() {
    Map<String, Instant> since = new HashMap<>();
    unchanged.forEach((uid, seen) -> since.put(uid, seen.since()));
    return since;
  }

  private static Instant nextLook(ClaimInput input, ClaimStep step) {
    return switch (step) {
      case ClaimStep.Idle(Optional<Instant> until) -> until.orElse(Instant.MAX);
      case ClaimStep.Wait wait -> wait.until().orElse(Instant.MAX);
      case ClaimStep.Leave leave -> leave.until().orElse(Instant.MAX);
      default -> input.now();
    };
  }

  private void writeMessage(LifecycleEventFacts event, String wait) {
    guarded(event, () -> actions.writeMessage(event, wait));
  }

  private void perform(ClaimStep step) {
    if (!(step instanceof ClaimStep.OnEvent onEvent)) {
      return;
    }
    LifecycleEventFacts event = onEvent.event();
    guarded(event, () -> actions.perform(step));
    setAside.remove(event.uid());
    if (step instanceof ClaimStep.Finish || step instanceof ClaimStep.Verify) {
      stalled = Optional.empty();
    }
    if (step instanceof ClaimStep.Warn) {
      warned.add(event.uid());
    }
  }

  /** An event that fails permanently is set aside so that the others are served. */
  private void guarded(LifecycleEventFacts event, Runnable work) {
    boolean mayPass = false;
    try {
      work.run();
      mayPass = true;
    } catch (ApiFailure failure) {
      mayPass = failure.isRetriable();
      throw failure;
    } finally {
      if (!mayPass) {
        setAside.add(event.uid());
      }
    }
  }

  private ClaimInput input(
      Collection<LifecycleEventObject> events, Predicate<LifecycleEventObject> which) {
    Set<LifecycleRef> unreadable = caches.unreadableTransitions();
    return new ClaimInput(
        context.node(),
        actions.node().map(LifecycleNodeObject::labels),
        events.stream()
            .filter(which)
            .map(LifecycleEventObject::facts)
            .filter(event -> !unreadable.contains(event.transitionRef()))
            .toList(),
        caches.transitions(),
        drivers.known(),
        lookingSince,
        kubeletClaims.getAsBoolean(),
        call.callState(),
        stalled,
        unchanged(),
        warned,
        actions.decided(),
        context.kube().clock().instant());
  }

  /** Records since when the current event is stalled; reset by the next answer. */
  private void note(ClaimStep step) {
    switch (step) {
      case ClaimStep.Wait wait when wait.stalled() -> {
        if (stalled.isEmpty()) {
          stalled = Optional.of(context.kube().clock().instant());
          LOG.warn("LifecycleEvent {}: {}", wait.event().ref(), wait.why());
        }
      }
      case ClaimStep.Wait _ when call.isCalling() -> {} // who is asked has not answered
      case ClaimStep.Ask _, ClaimStep.Finish _ -> {}
      default -> stalled = Optional.empty();
    }
  }

  /** Stops without a further write; the next process continues. */
  @Override
  public void close() {
    unsubscribe.run();
    cleanup.close();
    loop.close();
    call.cancel();
  }
}
