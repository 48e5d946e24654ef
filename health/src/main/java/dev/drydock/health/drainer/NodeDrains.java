package dev.drydock.health.drainer;

import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.drainer.decide.DrainDocument;
import dev.drydock.health.drainer.decide.DrainGoal;
import dev.drydock.health.drainer.decide.DrainScope;
import dev.drydock.health.drainer.decide.DrainSnapshot;
import dev.drydock.health.drainer.decide.DrainWait;
import dev.drydock.health.drainer.decide.ModeRulings;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.TryAgain;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The drains of one node, by the engine or by others. For use by the loop of the node. */
final class NodeDrains implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDrains.class);

  private final String name;
  private final NodeDrainerContext context;
  private final DrainDocuments documents;
  private final WaitReporter waits;
  private final NodeDrainLabels labels;
  private final Optional<CustomDrainRunner> custom;
  private final Map<DrainScope, EngineDrain> running = new HashMap<>();
  private volatile boolean closed;

  NodeDrains(
      String name, NodeDrainerContext context, DrainDocuments documents, NodeDrainLabels labels) {
    this.name = name;
    this.context = context;
    this.documents = documents;
    waits = new WaitReporter(context);
    this.labels = labels;
    custom =
        context
            .customDrains()
            .map(drains -> new CustomDrainRunner(name, context, drains, this, labels));
  }

  private Instant now() {
    return context.kube().clock().instant();
  }

  /** Whether another controller drains the node; a drain by the engine goes on as it began. */
  private boolean isCustom(QuarantinedNode node, DrainGoal goal) {
    return custom.isPresent()
        && !running.containsKey(goal.scope())
        && custom.get().drains(node, goal);
  }

  /**
   * Ends what is not wanted any more. Returns whether it has ended; otherwise its end wakes the
   * loop.
   */
  boolean keepOnly(List<DrainGoal> goals) {
    boolean ended = true;
    for (EngineDrain drain : List.copyOf(running.values())) {
      boolean wanted = goals.stream().anyMatch(goal -> goal.isSameDrain(drain.goal()));
      if (!wanted) {
        boolean over = drain.cancel();
        ended &= over;
        if (over) {
          running.remove(drain.goal().scope());
        }
      }
    }
    if (ended) {
      custom.ifPresent(each -> each.keepOnly(goals));
    }
    return ended;
  }

  /** Holds that a process left behind which died, or of drains that are not wanted any more. */
  private void releaseOthers(QuarantinedNode node, List<DrainGoal> goals) {
    Set<String> kept = new HashSet<>();
    goals.forEach(goal -> kept.add(NodeDrainerNames.holder(goal.scope())));
    node.holders().stream().filter(holder -> !kept.contains(holder)).forEach(this::release);
  }

  private void release(String holder) {
    try {
      var _ = context.engine().holds().release(name, holder);
    } catch (ApiFailure failure) {
      if (failure.code() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw failure;
      }
      // the node is gone, and the hold with it
    }
  }

  /**
   * Goes on with the drains that are wanted.
   *
   * @return when to look again; empty if nothing is left to do
   */
  Optional<Instant> advance(Optional<QuarantinedNode> node, List<DrainGoal> goals) {
    node.ifPresent(seen -> releaseOthers(seen, goals));
    if (node.isEmpty() || goals.isEmpty()) {
      context.waiting().remove(name);
      waits.nothing();
      return Optional.empty();
    }
    Instant next = Instant.MAX;
    boolean asked = false;
    waits.begin();
    for (DrainGoal goal : goals) {
      QuarantinedNode seen = context.node(name).orElse(node.get());
      if (isCustom(seen, goal)) {
        // others are asked for one drain of a node at a time
        next = asked ? next : earlier(next, custom.orElseThrow().advance(seen, goal, goals));
        asked = true;
      } else {
        next = earlier(next, drain(seen, goal, goals));
      }
    }
    next = earlier(next, waits.tell(context.node(name), goals.getFirst().owner()));
    return Optional.of(next);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private Instant drain(QuarantinedNode node, DrainGoal goal, List<DrainGoal> goals) {
    EngineDrain present = running.get(goal.scope());
    if (present == null) {
      return begin(node, goal);
    }
    Optional<DrainOutcome> outcome = present.outcome();
    if (outcome.isPresent()) {
      return end(node, goal, goals, outcome.get());
    }
    present.last().ifPresent(decision -> waitsFor(goal, decision));
    return Instant.MAX;
  }

  private void waitsFor(DrainGoal goal, Decision decision) {
    waits.add(DrainWait.of(decision, context.config().rules(), goal), DrainWait.lines(decision));
    if (DrainWait.isForTimeout(decision)) {
      context.waiting().add(name);
    } else {
      context.waiting().remove(name);
    }
  }

  private Instant begin(QuarantinedNode node, DrainGoal goal) {
    ModeRulings rulings = new ModeRulings(context.config().rules(), goal);
    DrainSnapshot pods = DrainSnapshot.of(context.engine().pods(name), rulings);
    boolean continued =
        node.state().equals(Optional.of(StateLabel.DRAINING))
            && NodeDrainLabels.isRecorded(node, goal);
    if (!labels.started(node, goal, "the drain engine", pods)) {
      return now();
    }
    LOG.info(
        "node {}: draining for event {} ({}) and {} others: {} pods; {} pods without a rule stay: {}",
        name,
        goal.owner().id(),
        goal.owner().checkName(),
        goal.others().size(),
        pods.going().size(),
        pods.leftOut().size(),
        pods.leftOut());
    if (!pods.cutShort().isEmpty()) {
      context
          .events()
          .record(
              node,
              NodeDrainEvents.Reason.GracePeriodShortened,
              "Pods get %d s to end, less than their own grace period: %s"
                  .formatted(
                      context.config().rules().evictionTimeout().toSeconds(), pods.cutShort()));
    }
    running.put(
        goal.scope(),
        new EngineDrain(name, goal, continued, context, () -> context.wake().accept(name)));
    return Instant.MAX;
  }

  private Instant end(
      QuarantinedNode node, DrainGoal goal, List<DrainGoal> goals, DrainOutcome outcome) {
    if (closed) {
      return Instant.MAX; // goes on in the next process
    }
    return switch (outcome.end()) {
      case DONE -> succeed(node, goal, goals, done(node, outcome));
      case CANCELLED -> cancel(node, goal, outcome.message());
      case FAILED, REFUSED -> {
        boolean late =
            outcome
                .last()
                .filter(
                    decision ->
                        decision.blockers().stream()
                            .anyMatch(each -> each.reason() == BlockReason.DEADLINE_PASSED))
                .isPresent();
        if (!late) {
          running.remove(goal.scope());
          throw new TryAgain("node %s: %s".formatted(name, outcome.message()));
        }
        yield fail(node, goal, goals, outcome.message(), "drain_deadline");
      }
    };
  }

  /** What is to be said about a drain that is done: which pods were not waited for. */
  private String done(QuarantinedNode node, DrainOutcome outcome) {
    List<String> left =
        outcome.last().map(Decision::warnings).orElse(List.of()).stream()
            .filter(ModeRulings::isAboutPodsLeft)
            .toList();
    if (left.isEmpty()) {
      return "drained";
    }
    context.events().record(node, NodeDrainEvents.Reason.PodsLeftBehind, String.join("; ", left));
    return "drained, but " + String.join("; ", left);
  }

  /** Returns when to look again. */
  Instant succeed(QuarantinedNode node, DrainGoal goal, List<DrainGoal> goals, String message) {
    if (!labels.ended(
        node, goal, goals, StateLabel.DRAIN_SUCCEEDED, HealthStatus.SUCCEEDED, message)) {
      return now();
    }
    Instant now = now();
    conclude(goal, HealthStatus.SUCCEEDED, HealthStatus.ALREADY_DRAINED, message);
    context.metrics().drained(Duration.between(goal.owner().quarantined(), now));
    context.metrics().partial(name, goal.scope());
    context.events().record(node, NodeDrainEvents.Reason.DrainSucceeded, message);
    forget(goal);
    return now;
  }

  /** Returns when to look again. */
  Instant fail(
      QuarantinedNode node, DrainGoal goal, List<DrainGoal> goals, String message, String error) {
    if (!labels.ended(node, goal, goals, StateLabel.DRAIN_FAILED, HealthStatus.FAILED, message)) {
      return now();
    }
    conclude(goal, HealthStatus.FAILED, HealthStatus.FAILED, message);
    context.metrics().failed(name, error);
    context.events().record(node, NodeDrainEvents.Reason.DrainFailed, message);
    forget(goal);
    return now();
  }

  /** Somebody has uncordoned the node, or released its hold. */
  private Instant cancel(QuarantinedNode node, DrainGoal goal, String message) {
    labels.cancelled(node, goal, message);
    conclude(goal, HealthStatus.CANCELLED, HealthStatus.CANCELLED, message);
    goal.documents().forEach(each -> context.metrics().cancelled(name, each.checkName()));
    context.events().record(node, NodeDrainEvents.Reason.DrainCancelled, message);
    forget(goal);
    return now();
  }

  /** Another event of the quarantine was drained for. */
  Instant alreadyDrained(DrainGoal goal, String message) {
    conclude(goal, HealthStatus.ALREADY_DRAINED, HealthStatus.ALREADY_DRAINED, message);
    return now();
  }

  private void forget(DrainGoal goal) {
    if (running.remove(goal.scope()) != null) {
      release(NodeDrainerNames.holder(goal.scope()));
    }
    context.waiting().remove(name);
  }

  private void conclude(
      DrainGoal goal, HealthStatus ofOwner, HealthStatus ofOthers, String message) {
    Instant now = now();
    List<EventUpdate> updates = new ArrayList<>();
    updates.add(NodeDrainWriter.end(goal.owner(), ofOwner, message, now));
    goal.others().forEach(other -> updates.add(NodeDrainWriter.end(other, ofOthers, message, now)));
    context.writer().store(updates);
    LOG.info(
        "node {}: drain for event {}: {}: {}", name, goal.owner().id(), ofOwner.word(), message);
    for (DrainDocument document : goal.documents()) {
      HealthStatus status = document.equals(goal.owner()) ? ofOwner : ofOthers;
      documents.put(document.with(status, message));
      context.metrics().processed(name, status, document.scope());
    }
  }

  /**
   * @param wait if there is to be an Event
   */
  void waits(Optional<DrainWait> wait, String line) {
    waits.add(wait.stream().toList(), List.of(line));
  }

  /** Nothing is written any more; what runs goes on in the next process. */
  @Override
  public void close() {
    closed = true;
  }
}
