package dev.drydock.lifecycle.claim;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.WakeUp;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.api.NodeTransitionReporter;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.lifecycle.decide.ClaimDecider;
import dev.drydock.lifecycle.decide.ClaimInput;
import dev.drydock.lifecycle.decide.ClaimStep;
import dev.drydock.lifecycle.decide.LifecycleEventFacts;
import dev.drydock.lifecycle.decide.TransitionFacts;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims the LifecycleEvents of a node and has their drivers carry them out, one at a time, until
 * closed. What it knows it reads from the events; another process that takes over goes on.
 */
public final class Claimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final String node;
  private final String identity;
  private final LifecycleNodeCaches caches;
  private final Drivers drivers;
  private final BooleanSupplier kubeletClaims;
  private final Outcomes outcomes;
  private final KubeHttp http;
  private final Clock clock;
  private final LifecycleEventWriter writer;
  private final NodeTransitionReporter reporter;
  private final DriverCall call;
  private final WakeUp bell = new WakeUp();
  private final Map<String, LifecycleEventObject> written = new HashMap<>();
  private final Set<String> gone = new HashSet<>();
  private Optional<LifecycleNodeObject> nodeWritten = Optional.empty();
  private Optional<Instant> stalled = Optional.empty();
  private Instant lookingSince = Instant.MAX;
  private Runnable unsubscribe = () -> {};
  private volatile boolean closed;

  /** Hears how events ended. */
  public interface Outcomes {
    Outcomes NONE = (transition, outcome, took) -> {};

    void ended(String transition, ClaimStatus outcome, Duration took);
  }

  /** Where a claimer works, and as whom. */
  public record ClaimerContext(KubeHttp http, Clock clock, String node, String identity) {}

  public Claimer(
      ClaimerContext claimerContext,
      LifecycleNodeCaches caches,
      Drivers drivers,
      BooleanSupplier kubeletClaims,
      Outcomes outcomes) {
    this.http = claimerContext.http();
    this.clock = claimerContext.clock();
    this.node = claimerContext.node();
    this.identity = claimerContext.identity();
    this.caches = caches;
    this.drivers = drivers;
    this.kubeletClaims = kubeletClaims;
    this.outcomes = outcomes;
    writer = new LifecycleEventWriter(http);
    reporter = new NodeTransitionReporter(http, clock);
    call = new DriverCall(drivers, node, clock, bell::ring);
  }

  public void start() {
    lookingSince = clock.instant();
    unsubscribe = caches.onChange(bell::ring);
    Thread.ofVirtual().name("claimer of " + node).start(this::run);
  }

  /** To be called when drivers come or go, or the kubelet begins to claim. */
  public void wake() {
    bell.ring();
  }

  private void run() {
    int failures = 0;
    try {
      while (!closed) {
        Duration wait;
        try {
          wait = act();
          failures = 0;
        } catch (ApiFailure later) {
          wait = Backoff.USUAL.after(++failures);
          if (later.code() != HttpURLConnection.HTTP_CONFLICT) {
            LOG.warn("node {}: {}; tried again", node, later.getMessage());
          }
        }
        bell.await(wait);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      if (!closed) {
        LOG.error("events of node {} are claimed no longer", node, bug);
      }
    } finally {
      call.hangUp();
    }
  }

  /** How long to wait if nothing happens. */
  private Duration act() {
    Optional<String> unsynced = caches.unsynced();
    if (unsynced.isPresent()) {
      LOG.debug("node {}: not everything is known: {}", node, unsynced.get());
      stalled = Optional.empty(); // what could not be seen is held against nobody
      return LONGEST_WAIT;
    }
    ClaimInput input = look();
    remark(input);
    sweep(input);
    ClaimStep step = ClaimDecider.decide(input);
    note(step);
    Optional<Instant> until =
        switch (step) {
          case ClaimStep.Idle() -> Optional.of(Instant.MAX);
          case ClaimStep.Wait wait -> Optional.of(wait.until().orElse(Instant.MAX));
          case ClaimStep.Claim claim -> claim(claim);
          case ClaimStep.Reject(LifecycleEventFacts event, String why) -> reject(event, why);
          case ClaimStep.Ask ask -> ask(ask);
          case ClaimStep.Publish publish -> publish(publish);
          case ClaimStep.Finish finish -> finish(finish);
        };
    Optional<Instant> orphan = ClaimDecider.nextOrphan(input);
    Instant wake = until.orElse(input.now());
    wake = orphan.filter(wake::isAfter).orElse(wake);
    Duration longest = LONGEST_WAIT;
    return wake.isAfter(input.now().plus(longest)) ? longest : Duration.between(input.now(), wake);
  }

  private ClaimInput look() {
    Map<String, LifecycleEventObject> events = new HashMap<>();
    caches.events().forEach(event -> events.put(event.facts().uid(), event));
    written.keySet().retainAll(events.keySet());
    gone.retainAll(events.keySet());
    events.keySet().removeAll(gone);
    events.replaceAll((uid, event) -> event.or(written.getOrDefault(uid, event)));
    written.putAll(events);
    Optional<LifecycleNodeObject> seen = node();
    return new ClaimInput(
        node,
        seen.map(LifecycleNodeObject::labels),
        events.values().stream().map(LifecycleEventObject::facts).toList(),
        caches.transitions(),
        drivers.known(),
        lookingSince,
        kubeletClaims.getAsBoolean(),
        call.callState(),
        stalled,
        clock.instant());
  }

  private Optional<LifecycleNodeObject> node() {
    Optional<LifecycleNodeObject> seen = caches.node();
    nodeWritten =
        seen.map(
            now ->
                nodeWritten
                    .filter(before -> before.uid().equals(now.uid()))
                    .map(now::or)
                    .orElse(now));
    return nodeWritten;
  }

  /** Since when what is worked on cannot go on: from the first such moment to the next answer. */
  private void note(ClaimStep step) {
    switch (step) {
      case ClaimStep.Wait wait when wait.stalled() -> {
        if (stalled.isEmpty()) {
          stalled = Optional.of(clock.instant());
          LOG.warn("LifecycleEvent {}: {}", wait.event().ref(), wait.why());
        }
      }
      case ClaimStep.Wait _ when call.isCalling() -> {} // who is asked has not answered
      case ClaimStep.Ask _, ClaimStep.Finish _ -> {}
      default -> stalled = Optional.empty();
    }
  }

  private LifecycleEventObject seen(LifecycleEventFacts event) {
    return Objects.requireNonNull(written.get(event.uid()));
  }

  private LifecycleEventObject keep(LifecycleEventObject event) {
    written.put(event.facts().uid(), event);
    return event;
  }

  /** What events wait for, on themselves, for people; only when it has changed. */
  private void remark(ClaimInput input) {
    Map<String, String> waits = ClaimDecider.waits(input);
    for (LifecycleEventFacts event : input.events()) {
      String wait = waits.getOrDefault(event.uid(), "");
      if (!wait.isEmpty() && !wait.equals(event.message())) {
        try {
          var _ = keep(writer.remark(seen(event), wait));
        } catch (ApiFailure unimportant) {
          LOG.debug("{}", unimportant.getMessage());
        }
      }
    }
  }

  /** Transitions for this node alone go with their driver. */
  private void sweep(ClaimInput input) {
    for (TransitionFacts orphan : ClaimDecider.orphans(input)) {
      KubeAnswer answer = http.send(ApiCall.delete(LifecyclePaths.transition(orphan.ref()), "{}"));
      if (answer.code() != HttpURLConnection.HTTP_NOT_FOUND) {
        var _ = answer.orThrow("LifecycleTransition " + orphan.ref());
        LOG.info(
            "deleted LifecycleTransition {}: its driver {} does not come back",
            orphan.ref(),
            orphan.driver());
      }
    }
  }

  private Optional<Instant> claim(ClaimStep.Claim step) {
    LifecycleEventObject event = seen(step.event());
    if (!event.facts().guarded() || !event.facts().ours()) {
      event = keep(writer.mark(event, identity));
    }
    Instant now = clock.instant();
    var _ = keep(writer.claim(event, step.transition().driver(), step.sla(now)));
    LOG.info(
        "claimed LifecycleEvent {}: {} by driver {}",
        step.event().ref(),
        step.event().transition(),
        step.transition().driver());
    reporter.tell(
        node,
        node(),
        NodeTransitionReporter.Reason.LifecycleEventClaimed,
        "%s: %s by driver %s"
            .formatted(step.event().ref(), step.event().transition(), step.transition().driver()));
    return Optional.empty();
  }

  /** It was never claimed, so it is not deleted either: its author has to see why. */
  private Optional<Instant> reject(LifecycleEventFacts event, String why) {
    var _ = keep(writer.end(seen(event), ClaimStatus.Failed, why));
    LOG.warn("rejected LifecycleEvent {}: {}", event.ref(), why);
    reporter.tell(
        node,
        node(),
        NodeTransitionReporter.Reason.LifecycleEventRejected,
        event.ref() + ": " + why);
    outcomes.ended(event.transition(), ClaimStatus.Failed, age(event));
    return Optional.empty();
  }

  private Optional<Instant> ask(ClaimStep.Ask step) {
    LOG.debug("LifecycleEvent {}: {} to the driver", step.event().ref(), step.call());
    call.ask(step);
    return Optional.empty();
  }

  private Optional<Instant> publish(ClaimStep.Publish step) {
    if (step.node().equals(node)) {
      Optional<LifecycleNodeObject> now = node();
      if (now.isEmpty()) {
        return Optional.empty(); // it has just gone, which decides the rest
      }
      nodeWritten =
          Optional.of(reporter.publish(now.get(), step.reason(), step.event().transition()));
      LOG.info("LifecycleEvent {}: {}", step.event().ref(), step.reason());
    } else if (!step.node().isEmpty()) {
      LOG.warn(
          "LifecycleEvent {}: the driver names node {}, but this is the claimer of {}; nothing published",
          step.event().ref(),
          step.node(),
          node);
    }
    call.published();
    return Optional.empty();
  }

  /** Each part may have been done by an earlier process. */
  private Optional<Instant> finish(ClaimStep.Finish step) {
    LifecycleEventFacts event = step.event();
    LifecycleEventObject ended = seen(event);
    if (event.claim() != step.outcome()) {
      ended = keep(writer.end(ended, step.outcome(), step.why()));
    }
    if (reporter.keep(node, entry(step))) {
      LOG.info("LifecycleEvent {}: {}: {}", event.ref(), step.outcome(), step.why());
      reporter.tell(
          node,
          node(),
          NodeTransitionReporter.Reason.valueOf("LifecycleEvent" + step.outcome()),
          event.ref() + ": " + step.why());
      outcomes.ended(event.transition(), step.outcome(), age(event));
    }
    writer.letGo(ended);
    // Only now: should one of these writes fail, the driver need not be asked again.
    call.hangUp();
    stalled = Optional.empty();
    gone.add(event.uid());
    return Optional.empty();
  }

  private TransitionHistory.Entry entry(ClaimStep.Finish step) {
    LifecycleEventFacts event = step.event();
    return new TransitionHistory.Entry(
        event.ref().name(),
        event.uid(),
        event.transition(),
        step.outcome().name(),
        event.created(),
        clock.instant().truncatedTo(ChronoUnit.SECONDS),
        step.why());
  }

  private Duration age(LifecycleEventFacts event) {
    return Duration.between(event.created(), clock.instant());
  }

  /** Ends where it is, without a further write; whoever starts next goes on. */
  @Override
  public void close() {
    closed = true;
    unsubscribe.run();
    bell.ring();
  }
}
