package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.Attempt;
import dev.drydock.drain.engine.decide.Attempts;
import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.drain.engine.decide.BudgetRef;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainDecider;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.kube.ControlLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The drain of one node: holds it, then observes, decides and acts on every change until it has an
 * outcome. Only its own loop decides; requests run concurrently.
 */
public final class DrainRun implements BudgetWatches.Subscriber, BudgetLocks.Waiter {
  /** A drain shorter than this writes only its final condition. */
  private static final Duration QUICK = Duration.ofSeconds(15);

  /** A blocked drain writes its condition after this time. */
  private static final Duration QUICK_TO_WAIT = Duration.ofSeconds(1);

  private static final Duration LONGEST_GATHER = Duration.ofMillis(50);

  /** The first facts, which come one after the other: nothing is done before the last of them. */
  private static final ControlLoop.Debounce STARTING =
      ControlLoop.Debounce.lastStepTimes(1, Duration.ofMillis(5));

  /** Deciding takes at most a third of the time: changes in between are handled by one decision. */
  private static final ControlLoop.Debounce PROMPT =
      ControlLoop.Debounce.lastStepTimes(2, LONGEST_GATHER);

  /** A fiftieth of the time is enough while many pods only have to end. */
  private static final ControlLoop.Debounce RELAXED =
      ControlLoop.Debounce.lastStepTimes(49, LONGEST_GATHER);

  /** The end of the drain follows the last of these. */
  private static final int FEW_PODS = 10;

  private final DrainTask task;
  private final DrainListener listener;
  private final EngineContext context;
  private final NodeObserver observer;
  private final DrainRunReporter reporter;
  private final CompletableFuture<DrainOutcome> outcome = new CompletableFuture<>();
  private final ControlLoop loop;
  private final Map<String, Attempt> attempts = new ConcurrentHashMap<>();
  private final Set<String> everMustGo = new HashSet<>();
  private final Map<String, Integer> evictedSinceStart = new ConcurrentHashMap<>();
  private final Instant begun;

  private volatile Set<BudgetRef> guards = Set.of();
  private volatile Optional<String> cancelled = Optional.empty();
  private volatile boolean killed;

  private volatile ControlLoop.Debounce pace = STARTING;

  private @Nullable DrainOutcome ending;
  private @Nullable Decision last;

  DrainRun(DrainTask task, DrainListener listener, EngineContext context) {
    this.task = task;
    this.listener = listener;
    this.context = context;
    this.begun = context.clock().instant();
    loop = context.kube().loop("drain", task.node(), lastStep -> pace.after(lastStep), this::step);
    this.observer = new NodeObserver(task, context, this);
    this.reporter = new DrainRunReporter(context, task, listener);
  }

  void start() {
    observer.open();
    loop.wake();
  }

  public String node() {
    return task.node();
  }

  /** Completed once, whatever happens; never exceptionally. */
  public CompletableFuture<DrainOutcome> outcome() {
    return outcome.copy();
  }

  /** Stops deciding and leaves the node as it is: held, with whatever is already terminating. */
  public void cancel() {
    cancelled = Optional.of("cancelled");
    wake();
  }

  /** Ends the run as if the process had died: nothing more is written. */
  void kill() {
    killed = true;
    cancelled = Optional.of("the engine was closed");
    close(outcome(End.CANCELLED, "the engine was closed"));
  }

  @Override
  public void wake() {
    loop.wake();
  }

  /** The andon cord was pulled or released. */
  void cordChanged() {
    observer.cordChanged();
    wake();
  }

  @Override
  public void budgetChanged(@Nullable BudgetFacts before, @Nullable BudgetFacts after) {
    boolean concerned =
        before == null
            || after == null
            || guards.contains(after.ref())
            || !before.selector().equals(after.selector());
    if (concerned) {
      wake();
    }
  }

  private Instant step() {
    if (ending == null) {
      ending = look().orElse(null);
    }
    return ending == null ? wakeAt() : end(ending);
  }

  /** The final condition is written after all others; the writer wakes this loop. */
  private Instant end(DrainOutcome end) {
    if (reporter.isWriting()) {
      return Instant.MAX;
    }
    if (!killed && observer.isOpen()) {
      reporter.ended(observer.node(), end.end());
    }
    close(end);
    return Instant.MAX;
  }

  private void close(DrainOutcome end) {
    loop.close();
    observer.close();
    context.budgets().leave(this);
    context.ended(this);
    outcome.complete(end);
  }

  /** Looks at everything, decides and acts; returns how it ended, if it did. */
  private Optional<DrainOutcome> look() {
    if (cancelled.isPresent()) {
      return Optional.of(outcome(End.CANCELLED, cancelled.get()));
    }
    observer.followHold();
    Optional<DrainOutcome> lost = observer.lost().map(why -> outcome(why.end(), why.message()));
    if (lost.isPresent()) {
      return lost;
    }
    NodeObserver.Snapshot snapshot = observer.look();
    guards = snapshot.guards();
    Attempts known =
        new Attempts(
            attempts,
            everMustGo,
            context.budgetLocks().takenByOthers(guards, this),
            evictedSinceStart);
    Instant now = context.clock().instant();
    Decision decision =
        DrainDecider.decide(
            snapshot.observation(), known, task.policy(), observer.startedAt(), now);
    pace = snapshot.observation().unknown().isEmpty() ? pace(decision) : STARTING;
    everMustGo.addAll(decision.mustGo());
    observer.wantProof(decision.isBlind() && snapshot.observation().isComplete());
    decision.actions().forEach(action -> begin(action, now));
    report(decision, snapshot, now);
    return switch (decision.status()) {
      case DONE -> Optional.of(outcome(End.DONE, "drained"));
      case REFUSED ->
          task.patient() ? Optional.empty() : Optional.of(outcome(End.REFUSED, lines(decision)));
      case FAILED -> Optional.of(outcome(End.FAILED, lines(decision)));
      case DRAINING, BLOCKED -> Optional.empty();
    };
  }

  private ControlLoop.Debounce pace(Decision decision) {
    boolean onlyEnding =
        decision.status() == Decision.Status.DRAINING
            && decision.blockers().isEmpty()
            && guards.isEmpty();
    return onlyEnding && decision.mustGo().size() > FEW_PODS ? RELAXED : PROMPT;
  }

  private void report(Decision decision, NodeObserver.Snapshot snapshot, Instant now) {
    reporter.pods(snapshot.observation().pods(), decision.mustGo());
    if (!now.isBefore(begun.plus(isWaiting(decision) ? QUICK_TO_WAIT : QUICK))) {
      observer
          .node()
          .ifPresent(
              node -> observer.news().ifPresent(news -> reporter.begun(node, news, this::wake)));
    }
    if (!decision.equals(last)) {
      last = decision;
      listener.changed(
          new DrainReport(
              task.node(),
              decision,
              observer.startedAt(),
              Duration.between(observer.startedAt(), now)));
    }
  }

  private static boolean isWaiting(Decision decision) {
    return decision.status() == Decision.Status.BLOCKED;
  }

  private Instant wakeAt() {
    Instant now = context.clock().instant();
    Instant wakeAt = observer.lookupsPending() ? now.plus(OwnerLookups.RETRY) : Instant.MAX;
    boolean waiting = last != null && isWaiting(last);
    Instant told = begun.plus(waiting ? QUICK_TO_WAIT : QUICK);
    if (now.isBefore(told) && told.isBefore(wakeAt)) {
      wakeAt = told;
    }
    Optional<Instant> decided = last == null ? Optional.empty() : last.wakeAt();
    return decided.filter(wakeAt::isAfter).orElse(wakeAt);
  }

  private void begin(Action action, Instant now) {
    Optional<BudgetRef> budget = budgetOf(action);
    if (killed || (budget.isPresent() && !context.budgetLocks().take(budget.get(), this))) {
      return;
    }
    attempts.put(action.target(), new Attempt.InFlight(action, now));
    listener.started(action);
    int hold = observer.hold();
    context
        .evictions()
        .start(
            action,
            answer -> {
              if (answer instanceof EvictionAnswer.Accepted && action instanceof Action.OnPod pod) {
                observer.removed(hold, pod.pod());
              }
              answered(action, budget, answer);
            });
  }

  private void answered(Action action, Optional<BudgetRef> budget, EvictionAnswer answer) {
    attempts.put(action.target(), Attempt.answered(action, answer, context.clock().instant()));
    budget.ifPresent(ref -> context.budgetLocks().giveBack(ref, this));
    wake();
    listener.answered(action, answer);
    if (answer instanceof EvictionAnswer.Accepted) {
      if (action instanceof Action.OnPod onPod) {
        observer
            .pod(onPod.pod())
            .flatMap(pod -> pod.ownerSince(observer.startedAt()))
            .ifPresent(owner -> evictedSinceStart.merge(owner.uid(), 1, Integer::sum));
      }
      observer.node().ifPresent(node -> reporter.escalated(node, action));
    }
  }

  private static Optional<BudgetRef> budgetOf(Action action) {
    return action instanceof Action.Evict evict
        ? evict.budget().map(Action.BudgetSeen::budget)
        : Optional.empty();
  }

  private static String lines(Decision decision) {
    return decision.blockers().stream()
        .map(blocker -> blocker.line())
        .collect(Collectors.joining("; "));
  }

  private DrainOutcome outcome(End end, String message) {
    Instant since = observer.isOpen() ? observer.startedAt() : begun;
    return new DrainOutcome(
        task.node(),
        end,
        message,
        Optional.ofNullable(last),
        Duration.between(since, context.clock().instant()));
  }
}
