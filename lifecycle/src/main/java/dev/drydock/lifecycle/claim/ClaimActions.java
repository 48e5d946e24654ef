package dev.drydock.lifecycle.claim;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Latest;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.api.NodeTransitionReporter;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.lifecycle.decide.ClaimStep;
import dev.drydock.lifecycle.decide.LifecycleEventFacts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the steps of a claimer, and keeps what they wrote. Used by the claimer's loop alone. */
final class ClaimActions {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimActions.class);

  private final Claimer.ClaimerContext context;
  private final Kube kube;
  private final LifecycleNodeCaches caches;
  private final DriverCall call;
  private final LifecycleEventWriter writer;
  private final NodeTransitionReporter reporter;
  private final Latest<LifecycleEventObject> events = new Latest<>();
  private final Latest<LifecycleNodeObject> nodes = new Latest<>();
  private Map<String, LifecycleEventObject> seen = Map.of();

  /** UIDs of events whose end this process has decided. */
  private final Set<String> decided = new HashSet<>();

  ClaimActions(Claimer.ClaimerContext context, LifecycleNodeCaches caches, DriverCall call) {
    this.context = context;
    this.caches = caches;
    this.call = call;
    kube = context.kube();
    writer = new LifecycleEventWriter(kube.http());
    reporter = new NodeTransitionReporter(kube);
  }

  /** The node's events as they are, with what was written last. */
  Collection<LifecycleEventObject> events() {
    List<LifecycleEventObject> now = events.of(caches.events());
    decided.retainAll(now.stream().map(LifecycleEventObject::uid).toList());
    seen = now.stream().collect(Collectors.toMap(LifecycleEventObject::uid, Function.identity()));
    return now;
  }

  Optional<LifecycleNodeObject> node() {
    return nodes.of(caches.node().stream().toList()).stream().findFirst();
  }

  /** The event as it was written last, which may be in this very step. */
  private LifecycleEventObject seen(LifecycleEventFacts event) {
    return events.of(Objects.requireNonNull(seen.get(event.uid())));
  }

  void perform(ClaimStep step) {
    switch (step) {
      case ClaimStep.Idle _, ClaimStep.Wait _, ClaimStep.Leave _ -> {}
      case ClaimStep.Mark(LifecycleEventFacts event) -> mark(event);
      case ClaimStep.Warn(LifecycleEventFacts event, String why) -> warn(event, why);
      case ClaimStep.Claim claim -> claim(claim);
      case ClaimStep.Reject(LifecycleEventFacts event, String why) -> reject(event, why);
      case ClaimStep.Ask ask -> ask(ask);
      case ClaimStep.Publish publish -> publish(publish);
      case ClaimStep.Finish finish -> finish(finish);
      case ClaimStep.Verify verify -> verify(verify);
    }
  }

  /** What an event waits for, on itself, for people; only when it has changed. */
  void writeMessage(LifecycleEventFacts event, String wait) {
    if (!wait.isEmpty() && !wait.equals(event.message())) {
      try {
        var _ = events.wrote(writer.writeMessage(seen(event), wait));
      } catch (ApiFailure unimportant) {
        LOG.debug("{}", unimportant.getMessage());
      }
    }
  }

  private void mark(LifecycleEventFacts event) {
    var _ = events.wrote(writer.mark(seen(event), context.identity()));
    LOG.info("LifecycleEvent {} is claimed; going on with it", event.ref());
  }

  private void warn(LifecycleEventFacts event, String why) {
    LOG.warn("LifecycleEvent {}: {}", event.ref(), why);
    reporter.record(
        context.node(),
        node(),
        NodeTransitionReporter.Reason.LifecycleEventUnattended,
        event.ref() + ": " + why);
  }

  private void claim(ClaimStep.Claim step) {
    LifecycleEventObject event = seen(step.event());
    if (!event.facts().guarded() || !event.facts().ours()) {
      event = events.wrote(writer.mark(event, context.identity()));
    }
    Instant now = kube.clock().instant();
    var _ = events.wrote(writer.claim(event, step.transition().driver(), step.sla(now)));
    LOG.info(
        "claimed LifecycleEvent {}: {} by driver {}",
        step.event().ref(),
        step.event().transition(),
        step.transition().driver());
    reporter.record(
        context.node(),
        node(),
        NodeTransitionReporter.Reason.LifecycleEventClaimed,
        "%s: %s by driver %s"
            .formatted(step.event().ref(), step.event().transition(), step.transition().driver()));
  }

  /** Not deleted, because it was never claimed: its author should see the reason. */
  private void reject(LifecycleEventFacts event, String why) {
    var _ = events.wrote(writer.end(seen(event), ClaimStatus.Failed, why));
    LOG.warn("rejected LifecycleEvent {}: {}", event.ref(), why);
    reporter.record(
        context.node(),
        node(),
        NodeTransitionReporter.Reason.LifecycleEventRejected,
        event.ref() + ": " + why);
    context.outcomes().ended(event.transition(), ClaimStatus.Failed, age(event));
  }

  private void ask(ClaimStep.Ask step) {
    LOG.debug("LifecycleEvent {}: {} to the driver", step.event().ref(), step.call());
    call.ask(step);
  }

  private void publish(ClaimStep.Publish step) {
    if (step.node().equals(context.node())) {
      Optional<LifecycleNodeObject> now = node();
      if (now.isEmpty()) {
        return; // it has just gone, which decides the rest
      }
      var _ = nodes.wrote(reporter.publish(now.get(), step.reason(), step.event().transition()));
      LOG.info("LifecycleEvent {}: {}", step.event().ref(), step.reason());
    } else if (!step.node().isEmpty()) {
      LOG.warn(
          "LifecycleEvent {}: the driver names node {}, but this is the claimer of {}; nothing published",
          step.event().ref(),
          step.node(),
          context.node());
    }
    call.published();
  }

  Set<String> decided() {
    return decided;
  }

  /**
   * Each part may have been done by an earlier process. The history comes first: an outcome that it
   * does not have is not a claimer's.
   */
  private void finish(ClaimStep.Finish step) {
    keepRecord(step);
    LifecycleEventFacts event = step.event();
    LifecycleEventObject ended = seen(event);
    if (event.claim() != step.outcome()) {
      ended = events.wrote(writer.end(ended, step.outcome(), step.why(), step.driver()));
    }
    releaseAndDelete(ended);
  }

  /** What somebody else wrote stays on the event, for them to see; the history knows better. */
  private void verify(ClaimStep.Verify step) {
    LifecycleEventFacts event = step.event();
    if (!reporter.isRecorded(context.node(), event.uid())) {
      LOG.warn("LifecycleEvent {}: {}", event.ref(), step.why());
      keepRecord(new ClaimStep.Finish(event, step.outcome(), step.why()));
    }
    releaseAndDelete(seen(event));
  }

  private void releaseAndDelete(LifecycleEventObject ended) {
    writer.releaseAndDelete(ended);
    // Last, so that the driver need not be called again if one of these writes fails.
    call.cancel();
    events.gone(ended);
  }

  private void keepRecord(ClaimStep.Finish step) {
    LifecycleEventFacts event = step.event();
    boolean news = reporter.keep(context.node(), entry(step));
    decided.add(event.uid());
    if (news) {
      LOG.info("LifecycleEvent {}: {}: {}", event.ref(), step.outcome(), step.why());
      reporter.record(
          context.node(),
          node(),
          NodeTransitionReporter.Reason.of(step.outcome()),
          event.ref() + ": " + step.why());
      context.outcomes().ended(event.transition(), step.outcome(), age(event));
    }
  }

  private TransitionHistory.Entry entry(ClaimStep.Finish step) {
    LifecycleEventFacts event = step.event();
    return new TransitionHistory.Entry(
        event.ref().name(),
        event.uid(),
        event.transition(),
        step.outcome().name(),
        event.created(),
        kube.clock().instant().truncatedTo(ChronoUnit.SECONDS),
        step.why());
  }

  private Duration age(LifecycleEventFacts event) {
    return Duration.between(event.created(), kube.clock().instant());
  }
}
