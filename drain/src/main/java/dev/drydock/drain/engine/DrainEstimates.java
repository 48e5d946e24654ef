package dev.drydock.drain.engine;

import static dev.drydock.kube.Fields.seconds;
import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.drain.engine.decide.DaemonSetLookup;
import dev.drydock.drain.engine.decide.DrainPlan;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.Eta;
import dev.drydock.drain.engine.decide.EvictionMode;
import dev.drydock.drain.engine.decide.Observation;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.Planner;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.drain.hold.decide.NodeFacts;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Every pod and budget of a cluster, kept up to date by watches until closed: how long each node
 * would take to be empty. For comparing many nodes: unlike a plan it does not look up owners, such
 * as DaemonSets. A node whose pods and budgets have not changed is not planned again.
 */
public final class DrainEstimates implements AutoCloseable {
  /** The estimates of so many nodes are kept; then it starts over. */
  private static final int MOST_KEPT = 20_000;

  private final Watch<PodFacts> pods;
  private final Watch<BudgetFacts> budgets;
  private final Watch<JobEnd> jobs;
  private final Map<String, Planned> planned = new ConcurrentHashMap<>();

  /** How often a pod that ran to its end came or went. */
  private final AtomicLong endings = new AtomicLong();

  private volatile Finished finished = new Finished(-1, List.of());

  private record Finished(long endings, List<PodFacts> pods) {}

  /** All that an estimate depends on, besides time. */
  private record Inputs(
      DrainPolicy policy, List<PodFacts> pods, List<BudgetFacts> budgets, List<JobEnd> jobs) {}

  private record Planned(Inputs inputs, Estimate estimate) {}

  /** When Kubernetes ends a Job; its pods do not have that time. */
  private record JobEnd(String uid, Instant at) {}

  /**
   * Wakes only when a list completes: other changes come with changes of pods, which wake anyway.
   */
  private record Known<T>(Runnable told) implements Watch.Listener<T> {
    @Override
    public void changed(@Nullable T before, @Nullable T after) {}

    @Override
    public void refreshed() {
      told.run();
    }
  }

  /**
   * The estimated drain of a node.
   *
   * @param waitedFor pods that a drain would let finish
   * @param never why the node can never drain as it is now, if so
   */
  public record Estimate(Eta eta, List<PodFacts> waitedFor, Optional<String> never) {}

  /**
   * @param ended called when a pod is gone or has ended, or after a new list
   */
  public DrainEstimates(Kube kube, Runnable ended) {
    pods =
        kube.watches()
            .of(
                Watch.Kind.of(Source.podsOnNodes(), PodReader::read)
                    .groupedBy(PodFacts::nodeName)
                    .optional(),
                new Watch.Listener<>() {
                  @Override
                  public void changed(@Nullable PodFacts before, @Nullable PodFacts after) {
                    if (ranToItsEnd(before) || ranToItsEnd(after)) {
                      endings.incrementAndGet();
                    }
                    boolean over = after == null || after.finished();
                    if (before != null && !before.finished() && over) {
                      ended.run();
                    }
                  }

                  @Override
                  public void refreshed() {
                    endings.incrementAndGet();
                    ended.run();
                  }
                });
    budgets =
        kube.watches()
            .of(
                Watch.Kind.of(Resource.BUDGETS.all(), BudgetReader::read)
                    .groupedBy(budget -> budget.ref().namespace())
                    .bounded(BudgetReader.BOUND)
                    .optional(),
                new Known<>(ended));
    jobs =
        kube.watches()
            .of(
                Watch.Kind.of(Resource.JOBS.all(), DrainEstimates::jobEnd)
                    .groupedBy(JobEnd::uid)
                    .optional(),
                new Known<>(ended));
  }

  private static @Nullable JobEnd jobEnd(JsonNode job) {
    Optional<Duration> limit = seconds(job.path("spec"), "activeDeadlineSeconds");
    JsonNode status = job.path("status");
    return limit.isPresent() && status.hasNonNull("startTime")
        ? new JobEnd(text(job.path("metadata"), "uid"), time(status, "startTime").plus(limit.get()))
        : null;
  }

  public void start() {
    pods.start();
    budgets.start();
    jobs.start();
  }

  /** Why nothing can be said yet; empty if it can. */
  public Optional<String> unknown() {
    return pods.state("")
        .unsynced()
        .or(() -> budgets.state("").unsynced())
        .or(() -> jobs.state("").unsynced());
  }

  public Estimate estimate(String node, DrainPolicy policy, Instant now) {
    Inputs inputs = inputs(node, policy);
    Planned before = planned.get(node);
    if (before != null && before.inputs().equals(inputs)) {
      return before.estimate();
    }
    Estimate estimate = estimate(node, inputs, now);
    if (!inputs.jobs().isEmpty()
        || inputs.pods().stream().anyMatch(DrainEstimates::dependsOnTime)) {
      planned.remove(node);
      return estimate;
    }
    if (planned.size() >= MOST_KEPT) {
      planned.clear();
    }
    planned.put(node, new Planned(inputs, estimate));
    return estimate;
  }

  private Inputs inputs(String node, DrainPolicy policy) {
    List<PodFacts> here = pods.state(node).items();
    List<BudgetFacts> guards = new ArrayList<>();
    here.stream()
        .map(pod -> pod.ref().namespace())
        .distinct()
        .sorted()
        .forEach(namespace -> guards.addAll(budgets.state(namespace).items()));
    List<JobEnd> ends =
        here.stream()
            .flatMap(pod -> pod.controller().stream())
            .flatMap(owner -> jobs.state(owner.uid()).items().stream())
            .toList();
    return new Inputs(policy, here, guards, ends);
  }

  /** Whether time alone changes how long the pod takes to leave. */
  private static boolean dependsOnTime(PodFacts pod) {
    return pod.terminating() || pod.endsBy().isPresent();
  }

  private Estimate estimate(String node, Inputs inputs, Instant now) {
    List<PodFacts> here = inputs.pods().stream().map(this::complete).toList();
    NodeFacts facts = new NodeFacts(node, true, false, Optional.empty(), false);
    DrainPlan plan =
        Planner.plan(Observation.of(facts, here, inputs.budgets()), inputs.policy(), now);
    Map<PodRef, PodFacts> byRef = new HashMap<>();
    here.forEach(pod -> byRef.put(pod.ref(), pod));
    List<PodFacts> waitedFor = new ArrayList<>();
    for (DrainPlan.PodPlan pod : plan.pods()) {
      PodFacts found = byRef.get(pod.pod());
      boolean finishes = pod.verdict().goes() && pod.mode() instanceof EvictionMode.LetFinish;
      if (finishes && found != null && !found.finished() && !found.terminating()) {
        waitedFor.add(found);
      }
    }
    return new Estimate(
        plan.eta(), waitedFor, plan.impossible().stream().map(Blocker::facts).findFirst());
  }

  /** A pod that runs has its DaemonSet, as a rule. */
  private PodFacts complete(PodFacts pod) {
    if (pod.controller().isEmpty()) {
      return pod;
    }
    Owner owner = pod.controller().get();
    if (OwnerLookups.isDaemonSet(owner)) {
      return pod.toBuilder().daemonSet(new DaemonSetLookup.Exists()).build();
    }
    return jobs.state(owner.uid()).items().stream()
        .map(JobEnd::at)
        .filter(end -> pod.announcedEnd().filter(end::isAfter).isEmpty())
        .findFirst()
        .map(end -> pod.toBuilder().announcedEnd(end).build())
        .orElse(pod);
  }

  /** Those that ran to their end, as long as the cluster keeps them. */
  public List<PodFacts> finished() {
    long now = endings.get();
    if (finished.endings() != now) {
      finished =
          new Finished(
              now, pods.state().items().stream().filter(DrainEstimates::ranToItsEnd).toList());
    }
    return finished.pods();
  }

  private static boolean ranToItsEnd(@Nullable PodFacts pod) {
    return pod != null && pod.finishedAt().isPresent();
  }

  @Override
  public void close() {
    pods.close();
    budgets.close();
    jobs.close();
  }
}
