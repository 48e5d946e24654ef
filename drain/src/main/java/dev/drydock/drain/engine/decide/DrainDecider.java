package dev.drydock.drain.engine.decide;

import dev.drydock.drain.engine.decide.Action.Delete;
import dev.drydock.drain.engine.decide.Action.Evict;
import dev.drydock.drain.engine.decide.Action.ForceDelete;
import dev.drydock.drain.engine.decide.Action.Why;
import dev.drydock.drain.engine.decide.Attempt.Granted;
import dev.drydock.drain.engine.decide.Attempt.InFlight;
import dev.drydock.drain.engine.decide.BudgetTurns.Turn;
import dev.drydock.drain.engine.decide.Decision.Status;
import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.engine.decide.PodVerdicts.Task;
import dev.drydock.drain.hold.decide.NodeFacts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decides what a drain does next. Stateless: the same facts give the same decision, so it may be
 * called at any time, after any change, and after a crash.
 */
public final class DrainDecider {
  /** Time for a kubelet to clean up and report after the grace period. */
  private static final Duration KUBELET_SLACK = Duration.ofSeconds(5);

  /** If the watch does not show a grant within this time, the request is sent again. */
  private static final Duration LOST_GRANT = Duration.ofSeconds(30);

  private final Observation seen;
  private final Attempts attempts;
  private final DrainPolicy policy;
  private final Instant startedAt;
  private final Instant now;

  private final PodVerdicts verdicts;
  private final BudgetTurns turns;
  private final AllowedActions allowed;
  private final Blocker.Collector blockers = new Blocker.Collector();
  private final NextDeadline deadline;
  private final Optional<AtDeadline> escalation;

  /**
   * Whether a time has passed after which pods go against their budgets. From then on a pod about
   * which something is unknown, or that has ended and is kept by a finalizer, holds up nobody else.
   */
  private final boolean forced;

  private DrainDecider(
      Observation seen, Attempts attempts, DrainPolicy policy, Instant startedAt, Instant now) {
    this.seen = seen;
    this.attempts = attempts;
    this.policy = policy;
    this.startedAt = startedAt;
    this.now = now;
    deadline = new NextDeadline(now);
    turns = new BudgetTurns(attempts, startedAt, now);
    allowed = new AllowedActions(attempts, policy.maxInFlight(), now);
    escalation =
        policy
            .deadline()
            .map(startedAt::plus)
            .filter(deadline::passed)
            .map(time -> policy.atDeadline());
    forced =
        policy.forceAfter().map(startedAt::plus).filter(deadline::passed).isPresent()
            || (escalation.isPresent() && !gaveUp());
    verdicts = PodVerdicts.of(seen, policy, forced, now);
  }

  /**
   * Evaluates all facts.
   *
   * @param attempts requests in flight, and the last answers
   * @param startedAt when the drain began; deadlines count from here
   */
  public static Decision decide(
      Observation seen, Attempts attempts, DrainPolicy policy, Instant startedAt, Instant now) {
    Observation judged = seen.pinning(pod -> attempts.keepsReturning(pod, startedAt));
    return new DrainDecider(judged, attempts, policy, startedAt, now).decide();
  }

  private Decision decide() {
    if (seen.notHeld().isPresent()) {
      seen.andon()
          .ifPresentOrElse(
              blockers::addAndon,
              () -> blockers.addNode(BlockReason.NOT_HELD, seen.notHeld().get()));
      return conclude(Status.BLOCKED);
    }
    if (!seen.unknown().isEmpty()) {
      blockers.addUnknown(seen.unknown());
      return waitOrGiveUp(Status.BLOCKED);
    }
    wakeForForce();
    if (!seen.unknownPods().isEmpty()) {
      blockers.addUnknown(seen.unknownPods().values().stream().sorted().toList());
      if (!forced) {
        return waitOrGiveUp(Status.BLOCKED);
      }
    }
    wakeForSkippedPods();
    verdicts.all().forEach(task -> task.until().ifPresent(deadline::at));
    boolean someRefused = !verdicts.refused().isEmpty();
    if (someRefused && !(forced && onlyPassing())) {
      return refused();
    }
    verdicts.refused().forEach(task -> blockers.addRefused(task.pod(), task.verdict()));
    List<Task> going =
        verdicts.going().stream()
            .filter(task -> !seen.unknownPods().containsKey(task.pod().uid()))
            .toList();
    if (going.isEmpty() && !someRefused && seen.unknownPods().isEmpty()) {
      return empty();
    }
    haltIfNeeded();
    going.forEach(this::consider);
    return waitOrGiveUp(allowed.underway() ? Status.DRAINING : Status.BLOCKED);
  }

  /**
   * The deadline does not end a drain that only has to look once more: it may have passed while no
   * process ran the drain.
   */
  private Decision empty() {
    String pods = "the pods of node " + seen.node().name() + " since it was held";
    return switch (seen.proof()) {
      case PodProof.Given() -> conclude(Status.DONE);
      case PodProof.Missing() -> {
        blockers.addUnknown(List.of(pods));
        yield conclude(Status.DRAINING);
      }
      case PodProof.Failed(String why) -> {
        blockers.addUnknown(List.of("%s (%s)".formatted(pods, why)));
        yield waitOrGiveUp(Status.BLOCKED);
      }
    };
  }

  private void wakeForForce() {
    boolean kept = verdicts.going().stream().anyMatch(task -> task.pod().isKeptByFinalizer(now));
    if (kept || !seen.unknownPods().isEmpty() || !verdicts.refused().isEmpty()) {
      policy.forceAfter().map(startedAt::plus).ifPresent(deadline::at);
    }
  }

  private boolean onlyPassing() {
    return verdicts.refused().stream()
        .allMatch(task -> Blocker.reasonOf(task.pod(), task.verdict()).isPassing());
  }

  /**
   * One refused pod means that nothing on the node is touched. A failed lookup may still succeed,
   * and work on the node ends.
   */
  private Decision refused() {
    verdicts.refused().forEach(task -> blockers.addRefused(task.pod(), task.verdict()));
    return onlyPassing() ? waitOrGiveUp(Status.BLOCKED) : conclude(Status.REFUSED);
  }

  private Decision waitOrGiveUp(Status waiting) {
    if (!gaveUp()) {
      return conclude(waiting);
    }
    blockers.addNode(
        BlockReason.DEADLINE_PASSED,
        "the deadline passed at "
            + startedAt.plus(policy.deadline().orElseThrow()).truncatedTo(ChronoUnit.SECONDS));
    return conclude(Status.FAILED);
  }

  private boolean gaveUp() {
    return escalation.filter(then -> then == AtDeadline.FAIL).isPresent();
  }

  private void haltIfNeeded() {
    NodeFacts node = seen.node();
    if (gaveUp()) {
      allowed.close();
    }
    if (seen.andon().isPresent()) {
      blockers.addAndon(seen.andon().get());
      allowed.close();
    }
    if (policy.cordonRequired() && node.exists() && !node.unschedulable()) {
      blockers.addNode(
          BlockReason.NOT_CORDONED,
          "node "
              + node.name()
              + " is schedulable, so evicted pods could be scheduled on it again");
      allowed.close();
    }
    if (allowed.throttledUntil().isPresent()) {
      Instant until = allowed.throttledUntil().get();
      blockers.addNode(BlockReason.SERVER_THROTTLING, "the API server asks to wait until " + until);
      deadline.at(until);
    }
  }

  /** The first rule that applies decides about this pod. */
  private void consider(Task task) {
    PodFacts pod = task.pod();
    Optional<Attempt> last = attempts.on(pod.uid());
    if (last.isPresent() && last.get() instanceof InFlight(Action action, Instant since)) {
      inFlight(task, action);
      return;
    }
    if (!pod.terminating() && pod.returnsToNode() && pod.mayHaveComeAfter(startedAt)) {
      // Deleting it again would only bring the next one: this prevents an endless loop.
      blockers.addComesBack(pod);
      return;
    }
    if (escalation.equals(Optional.of(AtDeadline.FORCE_DELETE)) && forceable(pod, last)) {
      send(task, new ForceDelete(pod.ref(), Why.DEADLINE, task.guardNames()));
      return;
    }
    if (pod.terminating()) {
      awaitEnd(task);
      return;
    }
    if (last.filter(this::justGranted).isPresent()) {
      allowed.somethingIsUnderway();
      return;
    }
    if (escalation.equals(Optional.of(AtDeadline.DELETE))) {
      delete(task, Why.DEADLINE);
      return;
    }
    if (!task.tier().equals(verdicts.going().getFirst().tier()) || mustWait(task)) {
      return;
    }
    if (deletes(task.mode()) && !pod.finished()) {
      delete(task, Why.DELETE_AFTER);
    } else if (policy.deleteInsteadOfEvict()) {
      delete(task, Why.EVICTION_DISABLED);
    } else {
      evict(task);
    }
  }

  private static boolean deletes(EvictionMode mode) {
    return mode instanceof EvictionMode.DeleteAfter || mode instanceof EvictionMode.DeleteAt;
  }

  /** A probe is not progress: the budget remains the reason to wait. */
  private void inFlight(Task task, Action action) {
    if (action instanceof Evict evict && evict.probe() && task.guards().size() == 1) {
      blockers.addBudget(task.pod(), task.guards().getFirst());
    } else {
      allowed.somethingIsUnderway();
    }
  }

  private boolean justGranted(Attempt attempt) {
    if (attempt instanceof Granted(Action action, Instant at)) {
      Instant lost = at.plus(LOST_GRANT);
      deadline.at(lost);
      return now.isBefore(lost);
    }
    return false;
  }

  private boolean forceable(PodFacts pod, Optional<Attempt> last) {
    boolean withoutGrace = pod.deletion().filter(d -> d.grace().isZero()).isPresent();
    boolean forced =
        last.filter(attempt -> attempt.action() instanceof ForceDelete)
            .filter(this::justGranted)
            .isPresent();
    return !withoutGrace && !forced;
  }

  private boolean mustWait(Task task) {
    PodFacts pod = task.pod();
    if (pod.finished()) {
      return false;
    }
    return switch (task.mode()) {
      case EvictionMode.LetFinish finish -> {
        blockers.addToFinish(pod);
        yield true;
      }
      case EvictionMode.DeleteAfter(Duration time) -> mustWait(pod, startedAt.plus(time));
      case EvictionMode.DeleteAt(Instant time) -> mustWait(pod, time);
      case EvictionMode.EvictNow _, EvictionMode.LeaveAlone _ -> false;
    };
  }

  private boolean mustWait(PodFacts pod, Instant time) {
    if (deadline.passed(time)) {
      return false;
    }
    deadline.at(time);
    blockers.addToDelete(pod, time);
    return true;
  }

  private void evict(Task task) {
    List<BudgetFacts> guards = task.isGuess() ? List.of() : task.guards();
    if (guards.size() > 1) {
      forceOr(task, () -> blockers.addSeveralBudgets(task.pod(), guards));
      return;
    }
    Optional<Action.BudgetSeen> asked = guards.stream().findFirst().map(Action.BudgetSeen::of);
    Evict eviction = new Evict(task.pod().ref(), task.graceOverride(), asked, false);
    Optional<Attempt.Refused> refusal = allowed.standingRefusal(eviction);
    if (refusal.isPresent()) {
      deadline.at(refusal.get().retryAt());
      forceOr(task, () -> blockers.addRefusal(task.pod(), refusal.get()));
    } else if (guards.isEmpty()) {
      allowed.send(eviction);
    } else {
      ask(task, guards.getFirst(), eviction);
    }
  }

  private void ask(Task task, BudgetFacts budget, Evict eviction) {
    switch (turns.at(budget)) {
      case Turn.Go() -> {
        if (allowed.send(eviction)) {
          turns.take(budget.ref(), false);
        }
      }
      case Turn.Busy() -> allowed.somethingIsUnderway();
      case Turn.BusyElsewhere() ->
          blockers.add(
              BlockReason.BUDGET_TURN,
              task.pod(),
              List.of(budget.ref().toString()),
              "another node's drain is asking budget " + budget.ref());
      case Turn.Probe() -> forceOr(task, () -> probe(task, budget, eviction));
      case Turn.Probing() -> forceOr(task, () -> blockers.addBudget(task.pod(), budget));
      case Turn.NoRoom(Instant retryAt) -> {
        deadline.at(retryAt);
        forceOr(task, () -> blockers.addBudget(task.pod(), budget));
      }
    }
  }

  private void probe(Task task, BudgetFacts budget, Evict eviction) {
    blockers.addBudget(task.pod(), budget);
    if (allowed.send(new Evict(eviction.pod(), eviction.grace(), eviction.budget(), true))) {
      turns.take(budget.ref(), true);
    }
  }

  /**
   * A pod that cannot be evicted is deleted regardless of budgets when the policy's time has
   * passed.
   */
  private void forceOr(Task task, Runnable addBlocker) {
    Optional<Instant> force = policy.forceAfter().map(startedAt::plus);
    if (force.filter(deadline::passed).isPresent()) {
      delete(task, Why.FORCE_AFTER);
      return;
    }
    force.ifPresent(deadline::at);
    addBlocker.run();
  }

  private void delete(Task task, Why why) {
    send(task, new Delete(task.pod().ref(), task.graceOverride(), why, task.guardNames()));
  }

  private void send(Task task, Action action) {
    Optional<Attempt.Refused> refusal = allowed.standingRefusal(action);
    if (refusal.isPresent()) {
      deadline.at(refusal.get().retryAt());
      blockers.addRefusal(task.pod(), refusal.get());
      return;
    }
    allowed.send(action);
  }

  /**
   * Terminating is not gone. Within its grace period it is progress; after that it needs a reason.
   */
  private void awaitEnd(Task task) {
    PodFacts pod = task.pod();
    PodFacts.Deletion deletion = pod.deletion().orElseThrow();
    Instant late = deletion.ends().plus(KUBELET_SLACK);
    boolean silent = seen.node().unreachableSince().isPresent() || !seen.node().exists();
    boolean held = !pod.finalizers().isEmpty();
    if (silent && deadline.passed(deletion.ends()) && !(held && deletion.grace().isZero())) {
      unreachable(task);
    } else if (!deadline.passed(late)) {
      allowed.somethingIsUnderway();
      deadline.at(silent || pod.finished() ? deletion.ends() : late);
      deadline.at(late);
    } else if (held) {
      String names = String.join(", ", pod.finalizers());
      blockers.add(
          BlockReason.FINALIZER,
          pod,
          pod.finalizers(),
          "its deletion waits for finalizer " + names);
    } else if (!forcedOverdue(task, deletion)) {
      blockers.add(
          BlockReason.SLOW_TO_STOP,
          pod,
          List.of(),
          "still exists; its grace period ended at " + deletion.ends());
    }
  }

  /** Whether it is deleted without grace because it does not end. */
  private boolean forcedOverdue(Task task, PodFacts.Deletion deletion) {
    Optional<Instant> force = policy.forceOverdue().map(deletion.ends()::plus);
    if (force.isEmpty() || !deadline.passed(force.get())) {
      force.ifPresent(deadline::at);
      return false;
    }
    PodFacts pod = task.pod();
    boolean due = forceable(pod, attempts.on(pod.uid()));
    if (due) {
      send(task, new ForceDelete(pod.ref(), Why.OVERDUE, task.guardNames()));
    }
    return due;
  }

  private void unreachable(Task task) {
    NodeFacts node = seen.node();
    PodFacts pod = task.pod();
    String silence =
        node.unreachableSince().map(since -> " has not reported since " + since).orElse(" is gone");
    blockers.add(
        BlockReason.NODE_UNREACHABLE,
        pod,
        List.of(node.name()),
        "node " + node.name() + silence + ", so its end is not confirmed");
    Optional<Instant> act =
        node.unreachableSince().map(since -> since.plus(policy.unreachable().after()));
    if (act.isEmpty() || policy.unreachable().action() == DrainPolicy.Unreachable.Action.WAIT) {
      return;
    }
    if (!deadline.passed(act.get())) {
      deadline.at(act.get());
      return;
    }
    if (policy.unreachable().action() == DrainPolicy.Unreachable.Action.OUT_OF_SERVICE_TAINT) {
      taintOnce(task);
    } else if (forceable(pod, attempts.on(pod.uid()))) {
      send(task, new ForceDelete(pod.ref(), Why.NODE_UNREACHABLE, task.guardNames()));
    }
  }

  private void taintOnce(Task task) {
    Action taint = new Action.TaintOutOfService(seen.node().name());
    Optional<Attempt> last = attempts.on(taint.target());
    boolean underway =
        last.filter(a -> a instanceof InFlight || justGranted(a)).isPresent()
            || allowed.actions().contains(taint);
    boolean work =
        verdicts.refused().stream().anyMatch(t -> t.verdict().by() == Verdict.Filter.NODE_WORK);
    if (!seen.node().outOfService() && !underway && !work) { // the taint ends all pods of a node
      send(task, taint);
    }
  }

  /** Skipping pods by their deletion age is the only verdict that changes by time alone. */
  private void wakeForSkippedPods() {
    policy
        .skipWait()
        .ifPresent(
            skip ->
                verdicts.all().stream()
                    .flatMap(task -> task.pod().deletion().stream())
                    .forEach(d -> deadline.at(PodFilter.skippedFrom(d.ends(), skip))));
  }

  private Decision conclude(Status status) {
    boolean over = status == Status.DONE || status == Status.FAILED;
    if (!over) {
      policy.deadline().ifPresent(time -> deadline.at(startedAt.plus(time)));
    }
    Eta eta =
        switch (status) {
          case DONE -> Eta.NONE;
          case REFUSED, FAILED -> Eta.UNKNOWN;
          case DRAINING, BLOCKED ->
              seen.isComplete()
                  ? new EtaEstimate(policy, seen.stopTimes(), startedAt, now).of(verdicts)
                  : Eta.UNKNOWN;
        };
    return new Decision(
        status,
        allowed.actions(),
        blockers.list(),
        seen.isComplete() ? verdicts.warnings() : List.of(),
        verdicts.progress(attempts.seen(), startedAt),
        eta,
        verdicts.going().stream().map(task -> task.pod().uid()).collect(Collectors.toSet()),
        over ? Optional.empty() : deadline.next());
  }
}
