package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.control.workload.FailurePolicy.Action;
import dev.drydock.sim.control.workload.JobDecision.End;
import dev.drydock.sim.control.workload.JobDecision.Failures;
import dev.drydock.sim.control.workload.JobDecision.State;
import dev.drydock.sim.control.workload.JobDecision.Step;
import dev.drydock.sim.control.workload.JobDecision.Wish;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs the pods of a Job until enough have succeeded or too many have failed. */
public final class JobController extends Workloads {
  private static final String TRACKING = "batch.kubernetes.io/job-tracking";
  private static final String INDEX = "batch.kubernetes.io/job-completion-index";
  private static final int DEFAULT_BACKOFF_LIMIT = 6;

  private final Map<ObjectKey, Failures> failures = new HashMap<>();

  public JobController(ControllerClient client, WorkQueue queue, ClusterIndex index) {
    super(client, queue, index, Resources.JOBS, "Job");
  }

  @Override
  public void changed(ObjectChange event) {
    super.changed(event);
    if (event.resource().equals(Resources.JOBS) && event.type() == ObjectChange.Type.DELETED) {
      failures.remove(event.key());
      // nothing else would remove their finalizers
      pods(event.object()).forEach(this::release);
    }
  }

  @Override
  void look(ObjectKey key, ObjectNode job) {
    if (JobStatus.isFinished(job)) {
      pods(job).forEach(this::release);
      expire(key, job);
      return;
    }
    JobStatus status = new JobStatus(job, client.now());
    pods(job).forEach(pod -> count(key, job, pod, status));
    Wish wish = wish(job);
    if (!wish.suspended()) {
      status.start();
    }
    List<ObjectNode> active = pods(job).stream().filter(PodQueries::isActive).toList();
    State state =
        new State(
            active.size(),
            status.succeeded(),
            status.failed(),
            status.started(),
            failures.getOrDefault(key, Failures.NONE));
    Step step = JobDecision.decide(wish, state, client.clock().instant());
    End end = status.failedByPolicy() ? status.policyEnd() : step.end();
    int wanted = end.isReached() ? 0 : step.pods();
    if (!ObjectFacts.isDeleted(job)) {
      adjust(job, active, wanted, status.completed());
    }
    List<ObjectNode> left = pods(job);
    status.countPods(left);
    boolean over = left.stream().allMatch(PodQueries::isFinished);
    status.end(end, wish.suspended(), over);
    client.setStatus(Resources.JOBS, key, status.tree());
    lookAgain(key, step.next());
    ObjectNode written = client.get(Resources.JOBS, key);
    if (written != null && JobStatus.isFinished(written)) {
      expire(key, written);
    }
  }

  private static Wish wish(ObjectNode job) {
    JsonNode spec = job.path("spec");
    JsonNode completions = spec.path("completions");
    JsonNode parallelism = spec.path("parallelism");
    JsonNode deadline = spec.path("activeDeadlineSeconds");
    // if neither is set, both default to one
    Integer enough =
        completions.isNumber() ? (Integer) completions.asInt() : parallelism.isNumber() ? null : 1;
    return new Wish(
        parallelism.asInt(1),
        enough,
        spec.path("backoffLimit").asInt(DEFAULT_BACKOFF_LIMIT),
        deadline.isNumber() ? Duration.ofSeconds(deadline.asLong()) : null,
        spec.path("suspend").asBoolean());
  }

  private static boolean isIndexed(ObjectNode job) {
    return JsonTrees.text(job, "spec", "completionMode").equals("Indexed");
  }

  /** A finished pod is counted once: until then a finalizer keeps it. */
  private void count(ObjectKey key, ObjectNode job, ObjectNode pod, JobStatus status) {
    boolean succeeded = PodQueries.phase(pod).equals("Succeeded");
    boolean failed =
        PodQueries.phase(pod).equals("Failed")
            || (ObjectFacts.isDeleted(pod) && !succeeded && !waitsForEnd(job));
    if (!ObjectFacts.hasFinalizer(pod, TRACKING) || (!succeeded && !failed)) {
      return;
    }
    if (succeeded) {
      status.addSuccess(isIndexed(job) ? index(pod) : -1);
      failures.remove(key);
    } else {
      Action action = FailurePolicy.actionOn(pod, JsonTrees.at(job, "spec", "podFailurePolicy"));
      if (action != Action.IGNORE) {
        status.addFailure();
      }
      if (action == Action.FAIL_JOB) {
        status.failByPolicy(ObjectFacts.key(pod));
      }
      int before = failures.getOrDefault(key, Failures.NONE).count();
      failures.put(key, new Failures(before + 1, client.clock().instant()));
    }
    release(pod);
  }

  /** Whether terminating pods are neither counted as failed nor replaced yet. */
  private static boolean waitsForEnd(ObjectNode job) {
    String policy = JsonTrees.text(job, "spec", "podReplacementPolicy");
    return policy.isEmpty()
        ? JsonTrees.at(job, "spec", "podFailurePolicy").isObject()
        : policy.equals("Failed");
  }

  private void release(ObjectNode pod) {
    if (ObjectFacts.hasFinalizer(pod, TRACKING)) {
      client.update(
          Resources.PODS,
          ObjectFacts.key(pod),
          each -> ObjectFacts.withoutFinalizer(each, TRACKING));
    }
  }

  private static int index(ObjectNode pod) {
    return JsonTrees.at(pod, "metadata", "annotations", INDEX).asInt(-1);
  }

  private void adjust(ObjectNode job, List<ObjectNode> active, int wanted, BitSet completed) {
    PodDeletionOrder.choose(active, active.size() - wanted).forEach(this::deletePod);
    long ending = waitsForEnd(job) ? pods(job).stream().filter(this::isEnding).count() : 0;
    BitSet taken = (BitSet) completed.clone();
    active.stream().mapToInt(JobController::index).filter(i -> i >= 0).forEach(taken::set);
    for (long i = active.size() + ending; i < wanted; i++) {
      ObjectNode pod = PodTemplate.pod(job);
      JsonTrees.metadata(pod).withArray("finalizers").add(TRACKING);
      label(pod, job);
      if (isIndexed(job)) {
        int next = taken.nextClearBit(0);
        taken.set(next);
        setIndex(pod, job, next);
      }
      createPod(pod);
    }
  }

  private boolean isEnding(ObjectNode pod) {
    return ObjectFacts.isDeleted(pod) && !PodQueries.isFinished(pod);
  }

  private static void label(ObjectNode pod, ObjectNode job) {
    String name = JsonTrees.text(job, "metadata", "name");
    String uid = ObjectFacts.uid(job);
    PodTemplate.labels(pod)
        .put("batch.kubernetes.io/controller-uid", uid)
        .put("batch.kubernetes.io/job-name", name)
        .put("controller-uid", uid)
        .put("job-name", name);
  }

  private static void setIndex(ObjectNode pod, ObjectNode job, int number) {
    String name = JsonTrees.text(job, "metadata", "name") + "-" + number;
    JsonTrees.metadata(pod).put("generateName", name + "-");
    JsonTrees.child(JsonTrees.metadata(pod), "annotations").put(INDEX, Integer.toString(number));
    PodTemplate.labels(pod).put(INDEX, Integer.toString(number));
    JsonTrees.child(pod, "spec").put("hostname", name);
  }

  /** Deletes a finished Job after ttlSecondsAfterFinished. */
  private void expire(ObjectKey key, ObjectNode job) {
    JsonNode patience = JsonTrees.at(job, "spec", "ttlSecondsAfterFinished");
    Instant finished = JobStatus.finishedAt(job);
    @Nullable Instant end =
        patience.isNumber() && finished != null ? finished.plusSeconds(patience.asLong()) : null;
    if (end != null && !end.isAfter(client.clock().instant())) {
      client.delete(Resources.JOBS, key);
    } else {
      lookAgain(key, end);
    }
  }
}
