package dev.drydock.drain.engine.decide;

import static dev.drydock.drain.engine.decide.DrainVariants.seeing;
import static dev.drydock.drain.engine.decide.DrainVariants.taintedOutOfService;
import static dev.drydock.drain.engine.decide.TestFacts.NODE;
import static dev.drydock.drain.engine.decide.TestFacts.START;
import static dev.drydock.drain.engine.decide.TestFacts.s;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.drain.engine.decide.Action.Delete;
import dev.drydock.drain.engine.decide.Action.Evict;
import dev.drydock.drain.engine.decide.Action.ForceDelete;
import dev.drydock.drain.engine.decide.Action.OnPod;
import dev.drydock.drain.engine.decide.Action.TaintOutOfService;
import dev.drydock.drain.engine.decide.Action.Why;
import dev.drydock.drain.engine.decide.BudgetFacts.UnhealthyPods;
import dev.drydock.drain.engine.decide.Decision.Status;
import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.engine.decide.DrainPolicy.DaemonSets;
import dev.drydock.drain.engine.decide.DrainPolicy.Unreachable;
import dev.drydock.drain.hold.decide.NodeFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Drains random clusters with lagging watches, slow answers and crashes, and checks a drain's
 * guarantees at every step.
 */
class RandomDrainTest {
  private static final int CLUSTERS = 200;
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(45);

  @Test
  void everyClusterDrainsOrSaysWhyNotAndKeepsItsPromises() {
    Map<Status, Integer> ends = new EnumMap<>(Status.class);
    for (int seed = 0; seed < CLUSTERS; seed++) {
      Status end = new Run(seed).toTheEnd();
      ends.merge(end, 1, Integer::sum);
    }
    // The generator must reach every kind of end, or the guarantees are not tested.
    assertThat(ends.keySet())
        .containsAll(
            EnumSet.allOf(Status.class).stream()
                .filter(status -> status != Status.DRAINING)
                .toList());
  }

  /** One cluster, one drain. */
  private static final class Run {
    private final long seed;
    private final Random random;
    private final TestingCluster cluster = new TestingCluster(START);
    private final DrainPolicy policy;
    private final Map<String, Instant> lookupsFailUntil = new HashMap<>();
    private final List<Action> sent = new ArrayList<>();
    private final Set<String> evictedSinceCrash = new HashSet<>();
    private Attempts attempts = Attempts.none();
    private List<PodFacts> podsSeen = List.of();
    private List<BudgetFacts> budgetsSeen = List.of();
    private boolean listed;
    private Optional<Instant> silentSince = Optional.empty();
    private boolean tainted;

    Run(long seed) {
      this.seed = seed;
      random = new Random(seed);
      policy = randomPolicy();
      populate();
    }

    private boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }

    private DrainPolicy randomPolicy() {
      DrainPolicy.Builder builder =
          DrainPolicy.builder()
              .force(chance(90))
              .emptyDirDataMayGo(chance(90))
              .daemonSets(chance(80) ? DaemonSets.IGNORE : DaemonSets.LAST)
              .waitForJobs(chance(50))
              .tiersByPriority(chance(30))
              .deleteInsteadOfEvict(chance(10))
              .maxInFlight(1 + random.nextInt(20));
      if (chance(40)) {
        AtDeadline[] then = AtDeadline.values();
        builder.deadline(s(5 + random.nextInt(600)), then[random.nextInt(then.length)]);
      }
      if (chance(30)) {
        builder.forceAfter(s(random.nextInt(300)));
      }
      if (chance(20)) {
        builder.skipWait(s(1 + random.nextInt(60)));
      }
      if (chance(20)) {
        builder.rule(
            new PolicyRule(
                PolicyRule.Match.labels(LabelSelector.matching("app", "w0")),
                new EvictionMode.DeleteAfter(s(random.nextInt(120))),
                random.nextInt(3) - 1,
                Optional.empty()));
      }
      Unreachable.Action[] actions = Unreachable.Action.values();
      builder.unreachable(
          new Unreachable(actions[random.nextInt(actions.length)], s(random.nextInt(300))));
      return builder.build();
    }

    private void populate() {
      int workloads = 1 + random.nextInt(5);
      for (int i = 0; i < workloads; i++) {
        String app = "w" + i;
        int replicas = 1 + random.nextInt(6);
        cluster.workloads.add(new TestingCluster.Workload(app, replicas, chance(30), chance(20)));
        int guards = chance(60) ? (chance(8) ? 2 : 1) : 0;
        for (int g = 0; g < guards; g++) {
          cluster.budgets.add(
              new TestingCluster.Budget(
                  app + "-pdb" + g,
                  app,
                  chance(8) ? replicas : random.nextInt(replicas),
                  chance(30) ? UnhealthyPods.ALWAYS_ALLOW : UnhealthyPods.IF_HEALTHY_BUDGET));
        }
        for (int r = 0; r < replicas; r++) {
          Owner owner = new Owner("apps/v1", "ReplicaSet", app, app);
          add(app + "-" + r, app, chance(70) ? NODE : "other").controller(owner);
        }
      }
      addOthers();
      finishPods();
      if (chance(12)) {
        cluster.nodeSilent = true;
        silentSince = Optional.of(START.minusSeconds(random.nextInt(100)));
      }
      cluster.syncBudgets();
    }

    private void addOthers() {
      if (chance(60)) {
        add("agent", "agent", NODE)
            .controller(TestFacts.DAEMON_SET)
            .daemonSet(new DaemonSetLookup.Exists());
      }
      if (chance(20)) {
        add("orphan", "orphan", NODE)
            .controller(TestFacts.DAEMON_SET)
            .daemonSet(new DaemonSetLookup.Missing());
      }
      if (chance(30)) {
        add("static", "static", NODE)
            .mirror(true)
            .controller(new Owner("v1", "Node", NODE, "node-uid"));
      }
      if (chance(30)) {
        add("bare", "bare", NODE);
      }
      if (chance(40)) {
        add("job", "job", NODE).controller(TestFacts.JOB);
      }
    }

    private final Map<String, PodFacts.Builder> drafts = new HashMap<>();

    private PodFacts.Builder add(String name, String app, String node) {
      String uid = cluster.nextUid();
      PodFacts.Builder draft =
          PodFacts.named("web", name, uid)
              .on(node)
              .labels(Map.of("app", app))
              .priority(random.nextInt(3))
              .ready(!chance(15))
              .emptyDir(chance(10))
              .terminationGrace(s(random.nextInt(60)))
              .finalizers(chance(8) ? List.of("example.org/keep") : List.of())
              .created(START.minusSeconds(600));
      drafts.put(uid, draft);
      return draft;
    }

    private void finishPods() {
      drafts.forEach(
          (uid, draft) -> {
            TestingCluster.Pod pod = new TestingCluster.Pod(draft.build());
            pod.stopTime = s(random.nextInt(90));
            if (!pod.facts.finalizers().isEmpty() && chance(70)) {
              pod.finalizersGoneAt = START.plusSeconds(random.nextInt(200));
            }
            if (pod.facts.controller().filter(Owner::isJob).isPresent()) {
              pod.finishesAt = START.plusSeconds(random.nextInt(600));
            } else if (!pod.facts.ready() && chance(70)) {
              pod.readyAt = START.plusSeconds(random.nextInt(60));
            }
            if (chance(5)) {
              pod.deniedUntil = START.plusSeconds(random.nextInt(60));
            }
            cluster.pods.put(uid, pod);
            if (chance(10)) {
              lookupsFailUntil.put(uid, START.plusSeconds(random.nextInt(20)));
            }
          });
    }

    Status toTheEnd() {
      Instant now = START;
      for (int step = 0; step < 20_000; step++) {
        cluster.advance(now);
        watch();
        answerSome(now);
        Observation seen = observe(now);
        Decision decision = DrainDecider.decide(seen, attempts, policy, START, now);
        checkPromises(decision, now);
        checkThatItSleepsRight(seen, decision, now);
        if (over(decision, now)) {
          checkEnd(decision, now);
          return decision.status();
        }
        for (Action action : decision.actions()) {
          sent.add(action);
          attempts = attempts.with(new Attempt.InFlight(action, now));
        }
        attempts = seeing(attempts, decision.mustGo());
        now = crashes() ? now.plusMillis(1) : nextMoment(decision, now);
      }
      throw new AssertionError("seed " + seed + " does not end");
    }

    private void watch() {
      if (chance(60)) {
        podsSeen = cluster.podsNow();
        listed = true;
      }
      if (chance(60)) {
        budgetsSeen = cluster.budgetsNow();
      }
    }

    private boolean watchesLag() {
      return !listed
          || !podsSeen.equals(cluster.podsNow())
          || !Set.copyOf(budgetsSeen).equals(Set.copyOf(cluster.budgetsNow()));
    }

    private Observation observe(Instant now) {
      NodeFacts node = NodeFacts.cordoned(NODE);
      if (silentSince.isPresent()) {
        node = node.unreachable(silentSince.get());
      }
      if (tainted) {
        node = taintedOutOfService(node);
      }
      List<PodFacts> looked = podsSeen.stream().map(pod -> lookedUp(pod, now)).toList();
      Observation seen = Observation.of(node, looked, budgetsSeen);
      return listed ? seen : seen.unknown(List.of("pods"));
    }

    private PodFacts lookedUp(PodFacts pod, Instant now) {
      Instant until = lookupsFailUntil.get(pod.uid());
      return until != null && now.isBefore(until)
          ? pod.toBuilder().daemonSet(new DaemonSetLookup.Failed("no answer")).build()
          : pod;
    }

    private void answerSome(Instant now) {
      for (Action action : List.copyOf(sent)) {
        if (chance(50)) {
          continue;
        }
        sent.remove(action);
        attempts = attempts.with(Attempt.answered(action, perform(action), now));
      }
    }

    private EvictionAnswer perform(Action action) {
      if (chance(3)) {
        return EvictionAnswer.toEviction(
            ApiAnswer.failure(429, "Too many requests").retryAfter(s(2)));
      }
      return switch (action) {
        case Evict evict -> {
          EvictionAnswer answer = EvictionAnswer.toEviction(cluster.evict(evict));
          if (answer instanceof EvictionAnswer.Accepted) {
            assertThat(evictedSinceCrash.add(evict.pod().uid()))
                .as("seed %d: %s evicted once by UID", seed, evict)
                .isTrue();
          }
          yield answer;
        }
        case Delete delete ->
            EvictionAnswer.toDeletion(cluster.delete(delete.pod(), delete.grace()));
        case ForceDelete force ->
            EvictionAnswer.toDeletion(cluster.delete(force.pod(), Optional.of(s(0))));
        case TaintOutOfService taint -> {
          tainted = true;
          // The pod garbage collector removes terminating pods on such a node.
          cluster.podsNow().stream()
              .filter(pod -> pod.nodeName().equals(taint.node()) && pod.terminating())
              .forEach(pod -> cluster.delete(pod.ref(), Optional.of(s(0))));
          yield new EvictionAnswer.Accepted();
        }
      };
    }

    /** Everything in memory is lost; requests in flight may still arrive. */
    private boolean crashes() {
      if (random.nextInt(300) > 0) {
        return false;
      }
      sent.forEach(
          action -> {
            if (chance(50)) {
              perform(action);
            }
          });
      sent.clear();
      evictedSinceCrash.clear();
      attempts = seeing(Attempts.none(), attempts.seen());
      return true;
    }

    private Instant nextMoment(Decision decision, Instant now) {
      if (!sent.isEmpty() || watchesLag()) {
        return now.plusMillis(1 + random.nextInt(300));
      }
      Optional<Instant> lookup =
          lookupsFailUntil.values().stream().filter(now::isBefore).min(Instant::compareTo);
      return Stream.of(decision.wakeAt(), cluster.nextEvent(), lookup)
          .flatMap(Optional::stream)
          .min(Instant::compareTo)
          .orElse(now.plus(LONG_ENOUGH));
    }

    private boolean over(Decision decision, Instant now) {
      boolean quiet = sent.isEmpty() && decision.actions().isEmpty() && !watchesLag();
      boolean throttled =
          decision.blockers().stream().anyMatch(b -> b.reason() == BlockReason.SERVER_THROTTLING);
      return switch (decision.status()) {
        case DONE, FAILED -> quiet;
        case REFUSED, BLOCKED -> quiet && !throttled && now.isAfter(START.plus(LONG_ENOUGH));
        case DRAINING -> false;
      };
    }

    private String story(Decision decision, Instant now) {
      return "seed " + seed + " at " + Duration.between(START, now) + ": " + decision;
    }

    private void checkPromises(Decision decision, Instant now) {
      Supplier<String> run = () -> story(decision, now);
      if (!listed) {
        assertThat(decision.status()).as(run).isNotEqualTo(Status.DONE);
      }
      if (decision.status() == Status.DONE) {
        assertThat(decision.mustGo()).as(run).isEmpty();
        assertThat(podsSeen.stream().filter(pod -> hasToGo(pod, now))).as(run).isEmpty();
      } else if (decision.status() != Status.FAILED) {
        assertThat(
                !decision.actions().isEmpty()
                    || !sent.isEmpty()
                    || !decision.blockers().isEmpty()
                    || decision.wakeAt().isPresent())
            .as(run)
            .isTrue();
      }
      decision.wakeAt().ifPresent(time -> assertThat(time).as(run).isAfter(now));
      if (decision.status() == Status.BLOCKED) {
        assertThat(decision.blockers()).as(run).isNotEmpty();
      }
      checkActions(decision, now, run);
    }

    /** Before wakeAt, the decision must not change by time alone. */
    private void checkThatItSleepsRight(Observation seen, Decision decision, Instant now) {
      if (decision.status() == Status.DONE || decision.status() == Status.FAILED) {
        return;
      }
      Duration sleep = decision.wakeAt().map(time -> Duration.between(now, time)).orElse(s(9999));
      Instant later = now.plusNanos((long) (random.nextDouble() * sleep.toNanos()));
      Decision then = DrainDecider.decide(seen, attempts, policy, START, later);
      Supplier<String> run = () -> story(decision, now) + " but later " + story(then, later);
      assertThat(then.status()).as(run).isEqualTo(decision.status());
      assertThat(then.actions()).as(run).isEqualTo(decision.actions());
      assertThat(then.blockers()).as(run).isEqualTo(decision.blockers());
    }

    private void checkActions(Decision decision, Instant now, Supplier<String> run) {
      Set<String> inFlight = sent.stream().map(Action::target).collect(Collectors.toSet());
      Map<String, PodFacts> byUid =
          podsSeen.stream().collect(Collectors.toMap(PodFacts::uid, pod -> pod));
      List<BudgetRef> asked = new ArrayList<>();
      for (Action action : sent) {
        if (action instanceof Evict evict) {
          evict.budget().ifPresent(seen -> asked.add(seen.budget()));
        }
      }
      for (Action action : decision.actions()) {
        assertThat(inFlight.add(action.target())).as(run).isTrue();
        if (!(action instanceof OnPod onPod)) {
          continue;
        }
        PodFacts pod = byUid.get(onPod.pod().uid());
        if (pod == null) {
          throw new AssertionError("acts on a pod that is not there: " + run.get());
        }
        assertThat(hasToGo(pod, now)).as(run).isTrue();
        if (!(action instanceof ForceDelete)) {
          assertThat(pod.terminating()).as(run).isFalse();
        }
        if (action instanceof Evict && policy.tiersByPriority() && policy.rules().isEmpty()) {
          assertThat(podsSeen)
              .as(run)
              .noneMatch(other -> hasToGo(other, now) && goesBefore(other, pod));
        }
        switch (action) {
          case Evict evict -> evict.budget().ifPresent(seen -> asked.add(seen.budget()));
          case Delete delete -> checkRecorded(pod, delete.why(), delete.bypassed(), now, run);
          case ForceDelete force -> checkRecorded(pod, force.why(), force.bypassed(), now, run);
          case TaintOutOfService taint -> {}
        }
      }
      assertThat(asked).as(run).doesNotHaveDuplicates();
      if (!decision.actions().isEmpty()) {
        assertThat(sent.size() + decision.actions().size())
            .as(run)
            .isLessThanOrEqualTo(policy.maxInFlight());
      }
    }

    /** A budget is bypassed only when the policy's time has passed, and the action names it. */
    private void checkRecorded(
        PodFacts pod, Why why, List<BudgetRef> bypassed, Instant now, Supplier<String> run) {
      Optional<Duration> time =
          switch (why) {
            case DEADLINE -> policy.deadline();
            case FORCE_AFTER -> policy.forceAfter();
            case DELETE_AFTER ->
                policy.rules().stream()
                    .flatMap(
                        rule ->
                            rule.mode() instanceof EvictionMode.DeleteAfter(Duration after)
                                ? Stream.of(after)
                                : Stream.empty())
                    .findFirst();
            case EVICTION_DISABLED ->
                policy.deleteInsteadOfEvict() ? Optional.of(Duration.ZERO) : Optional.empty();
            case NODE_UNREACHABLE -> silentSince.map(since -> Duration.ZERO);
            case OVERDUE -> policy.forceOverdue();
          };
      assertThat(time).as(run).isPresent();
      assertThat(START.plus(time.orElseThrow())).as(run).isBeforeOrEqualTo(now);
      boolean serves = pod.phase() == PodFacts.Phase.RUNNING && pod.ready() && !pod.terminating();
      if (serves) {
        assertThat(bypassed)
            .as(run)
            .containsExactlyInAnyOrderElementsOf(
                budgetsSeen.stream()
                    .filter(budget -> budget.selects(pod))
                    .map(BudgetFacts::ref)
                    .toList());
      }
    }

    private static boolean goesBefore(PodFacts one, PodFacts other) {
      return one.controller().filter(Owner::isDaemonSet).isEmpty()
          && one.priority() < other.priority();
    }

    private boolean hasToGo(PodFacts pod, Instant now) {
      boolean skipped =
          pod.deletion().isPresent()
              && policy.skipWait().isPresent()
              && now.isAfter(pod.deletion().get().ends().plus(policy.skipWait().get()));
      boolean ignored =
          policy.daemonSets() == DaemonSets.IGNORE
              && pod.controller().filter(Owner::isDaemonSet).isPresent()
              && pod.daemonSet() instanceof DaemonSetLookup.Exists;
      return pod.nodeName().equals(NODE) && !pod.mirror() && !ignored && !skipped;
    }

    /** An end must be true in the cluster itself, not only in the observed state. */
    private void checkEnd(Decision decision, Instant now) {
      Supplier<String> run = () -> story(decision, now);
      if (decision.status() == Status.DONE) {
        assertThat(cluster.podsNow().stream().filter(pod -> hasToGo(pod, now))).as(run).isEmpty();
        return;
      }
      if (decision.status() == Status.FAILED) {
        assertThat(policy.atDeadline()).as(run).isEqualTo(AtDeadline.FAIL);
        return;
      }
      if (decision.status() == Status.REFUSED) {
        return;
      }
      Set<BlockReason> stuckForGood =
          policy.deadline().isPresent()
              ? EnumSet.of(BlockReason.FINALIZER, BlockReason.NODE_UNREACHABLE)
              : EnumSet.of(
                  BlockReason.FINALIZER,
                  BlockReason.NODE_UNREACHABLE,
                  BlockReason.DISRUPTION_BUDGET,
                  BlockReason.SEVERAL_BUDGETS,
                  BlockReason.WAITING_TO_FINISH);
      assertThat(decision.blockers()).as(run).allMatch(b -> stuckForGood.contains(b.reason()));
      for (Blocker blocker : decision.blockers()) {
        if (blocker.reason() == BlockReason.DISRUPTION_BUDGET) {
          String name = blocker.names().getFirst().replace("web/", "");
          assertThat(cluster.status(name).room()).as(run).isZero();
        }
      }
    }
  }
}
