package dev.drydock.lifecycle.driver;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.WakeUp;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.NodeTransitionReporter;
import dev.drydock.lifecycle.decide.SlaPolicy;
import dev.drydock.lifecycle.plugin.Driver;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.grpc.Status;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains and uncordons one node on behalf of LifecycleEvents, with the engine and a hold of its
 * own. A drain is over when the pods that had to go are gone, by a list made for that question.
 * What was begun before a restart is begun again when a claimer asks for it.
 */
public final class DrainDriver implements Driver, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DrainDriver.class);

  /** Claimers give up a call after 45 s. */
  static final Duration LONGEST_CALL = Duration.ofSeconds(30);

  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  /** Begins the reason of a hold whose drain goes on although its event is over. */
  private static final String WITHOUT_EVENT = "drains on, past the time of LifecycleEvent ";

  private final Settings settings;
  private final DrainEngine engine;
  private final LifecycleNodeCaches caches;
  private final LifecycleEventWriter writer;
  private final NodeTransitionReporter reporter;
  private final HeldNode node;
  private final ConditionWait conditionWait = new ConditionWait();
  private final WakeUp bell = new WakeUp();
  private final RetryUntilDone retries;
  private final Runnable unsubscribe;
  private @Nullable EventDrain work;

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
      boolean uncordonWhenCancelled) {}

  public DrainDriver(
      Settings settings,
      DrainEngine engine,
      LifecycleNodeCaches caches,
      KubeHttp http,
      Clock clock) {
    this.settings = settings;
    this.engine = engine;
    this.caches = caches;
    node = new HeldNode(settings, engine, clock);
    writer = new LifecycleEventWriter(http);
    reporter = new NodeTransitionReporter(http, clock);
    retries = new RetryUntilDone("node " + settings.node());
    unsubscribe = caches.onChange(bell::ring);
    Thread.ofVirtual().name("events of " + settings.node()).start(this::watch);
  }

  /** Takes up a drain that an earlier process left without an event. */
  public void resume() {
    retries.run(this::takeUp);
  }

  /** Locked while it looks: a drain that begins meanwhile, or a node given back, comes after it. */
  private synchronized void takeUp() {
    Optional<String> reason =
        node.own().map(Hold::reason).filter(text -> text.startsWith(WITHOUT_EVENT));
    if (work == null && reason.isPresent()) {
      String event = reason.get().substring(WITHOUT_EVENT.length());
      LOG.info("going on with the drain that LifecycleEvent {} began", event);
      EventDrain resumed = newWork(event);
      resumed.detach();
      work = resumed;
      resumed.drain(node.drainAfterSla(reason.get()));
      forgetWhenOver(resumed);
    }
  }

  /** Pods that its drain still waits for. */
  public synchronized int remaining() {
    return work == null ? 0 : work.remaining();
  }

  @Override
  public LifecycleTransitionResponse start(StartLifecycleTransitionRequest request) {
    requireOwnNode(request.getNodeName());
    return switch (request.getStart()) {
      case LifecycleNames.DRAIN_STARTED ->
          answer(
              () -> {
                Optional<String> cancelled = begin(request.getEventName(), true).stopped();
                return cancelled.map(DrainDriver::failed).orElse(said(request.getStart()));
              });
      case LifecycleNames.UNCORDONING ->
          answer(
              () -> {
                giveBack();
                return said(request.getStart());
              });
      default -> throw unknown("start", request.getStart());
    };
  }

  @Override
  public LifecycleTransitionResponse end(EndLifecycleTransitionRequest request) {
    requireOwnNode(request.getNodeName());
    return switch (request.getEnd()) {
      case LifecycleNames.DRAIN_COMPLETE -> answer(() -> endOfDrain(request));
      case LifecycleNames.MAINTENANCE_COMPLETE -> answer(() -> endOfUncordon(request));
      default -> throw unknown("end", request.getEnd());
    };
  }

  private void requireOwnNode(String node) {
    if (!node.isEmpty() && !node.equals(settings.node())) {
      throw new IllegalArgumentException(
          "this is the driver of node %s, not of %s".formatted(settings.node(), node));
    }
  }

  private static IllegalArgumentException unknown(String what, String value) {
    return new IllegalArgumentException(
        "no transition of this driver has the %s \"%s\"".formatted(what, value));
  }

  /** What may pass is not an end: whoever asked will ask again. */
  private LifecycleTransitionResponse answer(Supplier<LifecycleTransitionResponse> work) {
    try {
      return work.get();
    } catch (ApiFailure failure) {
      if (failure.passing()) {
        throw Status.UNAVAILABLE.withDescription(failure.getMessage()).asRuntimeException();
      }
      return failed(failure.getMessage());
    } catch (HoldsUnreadable broken) {
      return failed(String.valueOf(broken.getMessage()));
    }
  }

  private LifecycleTransitionResponse said(String reason) {
    return LifecycleTransitionResponse.newBuilder()
        .setLifecycleCondition(reason)
        .setNodeName(settings.node())
        .build();
  }

  private static LifecycleTransitionResponse failed(String why) {
    return LifecycleTransitionResponse.newBuilder().setError(why).build();
  }

  /**
   * The drain for an event, begun unless it is under way.
   *
   * @param first whether the event may be a new one of a name that was drained for before
   */
  private synchronized EventDrain begin(String event, boolean first) {
    Optional<LifecycleEventObject> seen = seen(event);
    EventDrain now = work;
    if (now != null && isFor(now, event, seen) && !(first && now.outcome().isPresent())) {
      return now;
    }
    if (now != null) {
      now.stop("another LifecycleEvent took its place");
      now.close();
    }
    EventDrain next = newWork(event);
    seen.ifPresent(next::isFor);
    work = next;
    if (seen.filter(known -> known.facts().deleting()).isPresent()) {
      cancel(next);
      return next;
    }
    String reason = "LifecycleEvent " + event;
    try {
      // first, so that a node that cannot be cordoned is told at once
      node.hold(reason);
    } catch (RuntimeException failure) {
      work = null;
      next.close();
      throw failure;
    }
    LOG.info("LifecycleEvent {}: draining node {}", event, settings.node());
    next.drain(node.drain(reason));
    return next;
  }

  private static boolean isFor(EventDrain work, String event, Optional<LifecycleEventObject> seen) {
    return work.event().equals(event)
        && !work.isDetached()
        && (seen.isEmpty()
            || work.uid().isEmpty()
            || work.uid().get().equals(seen.get().facts().uid()));
  }

  private EventDrain newWork(String event) {
    return new EventDrain(
        event,
        engine,
        new EventMessageWriter(() -> seen(event), writer, reporter),
        conditionWait::tell);
  }

  private Optional<LifecycleEventObject> seen(String event) {
    return caches.events().stream()
        .filter(each -> each.facts().ref().name().equals(event))
        .filter(each -> !each.facts().claim().isTerminal())
        // drivers hear no groups: of two events of one name, the claimed one is meant
        .max(Comparator.comparing(each -> each.facts().claim() == ClaimStatus.Claimed));
  }

  private LifecycleTransitionResponse endOfDrain(EndLifecycleTransitionRequest request) {
    if (request.getSlaExpired()) {
      return expire(request);
    }
    return await(begin(request.getEventName(), false), request);
  }

  private LifecycleTransitionResponse await(EventDrain now, EndLifecycleTransitionRequest request) {
    conditionWait.await(() -> now.stopped().isPresent() || now.outcome().isPresent(), LONGEST_CALL);
    if (now.stopped().isPresent()) {
      return failed(now.stopped().get());
    }
    Optional<DrainOutcome> outcome = now.outcome();
    if (outcome.isEmpty()) {
      return said(request.getStart());
    }
    if (outcome.get().end() != DrainOutcome.End.DONE) {
      return failed(outcome.get().message());
    }
    if (node.left().isEmpty()) {
      letGo(now);
      return said(request.getEnd());
    }
    LOG.info("LifecycleEvent {}: more pods came; draining on", now.event());
    now.drain(node.drain("LifecycleEvent " + now.event()));
    return said(request.getStart());
  }

  private LifecycleTransitionResponse expire(EndLifecycleTransitionRequest request) {
    if (settings.atSla() == SlaPolicy.STOP) {
      return stopInTime(request);
    }
    EventDrain now = begin(request.getEventName(), false);
    Optional<DrainOutcome> outcome = now.outcome();
    if (outcome.filter(over -> over.end() == DrainOutcome.End.DONE).isPresent()) {
      return await(now, request);
    }
    LOG.warn(
        "LifecycleEvent {}: the time is over with {} pods left: {}",
        now.event(),
        now.remaining(),
        settings.atSla());
    now.detach();
    // Written on the hold, so that it goes on after a restart as well.
    String reason = WITHOUT_EVENT + now.event();
    node.hold(reason);
    if (settings.atSla() == SlaPolicy.DELETE) {
      now.drain(node.drainAfterSla(reason));
    }
    forgetWhenOver(now);
    return settings.atSla() == SlaPolicy.DELETE
        ? await(now, request)
        : failed(
            "the time is over with %d pods left; the drain goes on without its event"
                .formatted(now.remaining()));
  }

  /** Begins nothing: a claimer may ask this first after a restart. */
  private LifecycleTransitionResponse stopInTime(EndLifecycleTransitionRequest request) {
    Optional<EventDrain> now;
    synchronized (this) {
      now = Optional.ofNullable(work).filter(one -> one.event().equals(request.getEventName()));
      now.ifPresent(EventDrain::detach);
    }
    now.ifPresent(EventDrain::end);
    boolean held = node.own().isPresent();
    List<PodRef> left = node.left();
    now.ifPresent(this::letGo);
    if (held && left.isEmpty()) {
      return said(request.getEnd());
    }
    String why =
        held
            ? "the time is over with %s left; node %s stays held"
                .formatted(HeldNode.words(left), settings.node())
            : "the time is over, and node %s is not held".formatted(settings.node());
    LOG.warn("LifecycleEvent {}: {}", request.getEventName(), why);
    now.ifPresent(one -> one.stop(why));
    return failed(why);
  }

  private void forgetWhenOver(EventDrain now) {
    now.whenOver(
        outcome -> {
          if (outcome.end() == DrainOutcome.End.DONE) {
            retries.run(() -> forget(now));
          }
        });
  }

  /** Our hold, if whoever asked for the drain holds the node himself. */
  private void letGo(EventDrain now) {
    if (now.behalf().isPresent() && node.holds().heldBy(now.behalf().get())) {
      node.release();
    }
  }

  /** Unless the node was given back meanwhile. */
  private void forget(EventDrain now) {
    node.holdIf(() -> isCurrent(now), "drained for LifecycleEvent " + now.event());
    letGo(now);
  }

  private synchronized boolean isCurrent(EventDrain one) {
    return one.equals(work);
  }

  private LifecycleTransitionResponse endOfUncordon(EndLifecycleTransitionRequest request) {
    Holds after = giveBack();
    if (after.unschedulable() && !request.getSlaExpired()) {
      remark(request.getEventName(), "held by " + String.join(", ", after.byHolder().keySet()));
      conditionWait.await(() -> isGivenBack() || isDeleted(request.getEventName()), LONGEST_CALL);
      after = node.holds();
    }
    return said(after.unschedulable() ? request.getStart() : request.getEnd());
  }

  private boolean isGivenBack() {
    return caches.node().filter(now -> !now.unschedulable()).isPresent();
  }

  private boolean isDeleted(String event) {
    return seen(event).filter(known -> known.facts().deleting()).isPresent();
  }

  /** Ends a drain that still runs; then our hold goes, and a cordon from outside. */
  private Holds giveBack() {
    EventDrain ended;
    synchronized (this) {
      ended = work;
      work = null;
    }
    if (ended != null) {
      ended.stop("the node was given back");
      ended.end();
      ended.close();
    }
    return node.giveBack();
  }

  private void remark(String event, String what) {
    seen(event)
        .filter(known -> !known.facts().message().equals(what))
        .ifPresent(known -> writer.remark(known, what));
  }

  /** On a thread of its own: whoever tells of changes must not wait for a request. */
  private void watch() {
    try {
      while (!retries.isClosed()) {
        bell.await(LONGEST_WAIT);
        look();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sees that an event was deleted, or that its claimer gave it up, and stops its drain. */
  private void look() {
    synchronized (this) {
      EventDrain now = work;
      if (now != null
          && !now.isDetached()
          && now.stopped().isEmpty()
          && caches.unsynced().isEmpty()) {
        seen(now.event()).filter(_ -> now.uid().isEmpty()).ifPresent(now::isFor);
        now.uid().ifPresent(uid -> look(now, uid));
      }
    }
    conditionWait.tell();
  }

  private void look(EventDrain now, String uid) {
    Optional<LifecycleEventObject> event =
        caches.events().stream().filter(each -> each.facts().uid().equals(uid)).findFirst();
    if (event.isEmpty() && now.outcome().isPresent()) {
      now.detach(); // one of the same name is another event
    } else if (event.isEmpty()) {
      cancel(now);
    } else if (event.get().facts().claim().isTerminal()) {
      now.detach();
      now.stop("its LifecycleEvent is over: " + event.get().facts().claim());
    } else if (event.get().facts().deleting()) {
      cancel(now);
    }
  }

  private void cancel(EventDrain now) {
    now.halt();
    now.detach();
    boolean uncordon = settings.uncordonWhenCancelled();
    String why =
        "LifecycleEvent %s was deleted: its drain was stopped, and node %s %s"
            .formatted(now.event(), settings.node(), uncordon ? "was released" : "stays held");
    retries.run(
        () -> {
          now.end();
          if (uncordon) {
            node.release();
          }
          LOG.info("{}", why);
          now.stop(why);
        });
  }

  /** Ends where it is, without a further write. */
  @Override
  public synchronized void close() {
    retries.close();
    unsubscribe.run();
    bell.ring();
    if (work != null) {
      work.close();
    }
  }
}
