package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.control.StatusConditions;
import dev.drydock.sim.control.StatusConditions.Condition;
import dev.drydock.sim.control.workload.JobDecision.End;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Job's status while it is being processed. */
final class JobStatus {
  private static final String INDEXES = "completedIndexes";

  private final ObjectNode status;
  private final String now;
  private final BitSet completed;
  private int succeeded;
  private int failed;
  private @Nullable ObjectKey fatal;

  JobStatus(ObjectNode job, String now) {
    this.status = ControllerClient.shallow(job.path("status"));
    this.now = now;
    this.succeeded = status.path("succeeded").asInt();
    this.failed = status.path("failed").asInt();
    this.completed = parse(JsonTrees.text(status, INDEXES));
  }

  static boolean isFinished(JsonNode job) {
    return JsonTrees.hasCondition(job, "Complete") || JsonTrees.hasCondition(job, "Failed");
  }

  static @Nullable Instant finishedAt(JsonNode job) {
    for (String type : List.of("Complete", "Failed")) {
      JsonNode condition = StatusConditions.find(job, type);
      if (condition != null && JsonTrees.text(condition, "status").equals("True")) {
        return Instant.parse(JsonTrees.text(condition, "lastTransitionTime"));
      }
    }
    return null;
  }

  void start() {
    JsonTrees.putIfAbsent(status, "startTime", now);
  }

  @Nullable Instant started() {
    String started = JsonTrees.text(status, "startTime");
    return started.isEmpty() ? null : Instant.parse(started);
  }

  int succeeded() {
    return succeeded;
  }

  int failed() {
    return failed;
  }

  BitSet completed() {
    return completed;
  }

  /** With the pod's index, or -1; an index counts once. */
  void addSuccess(int index) {
    if (index < 0 || !completed.get(index)) {
      succeeded++;
    }
    if (index >= 0) {
      completed.set(index);
    }
  }

  void addFailure() {
    failed++;
  }

  void failByPolicy(ObjectKey pod) {
    fatal = pod;
  }

  boolean failedByPolicy() {
    return fatal != null;
  }

  End policyEnd() {
    return new End(
        false,
        "PodFailurePolicy",
        "Pod %s failed as by a rule of the pod failure policy".formatted(fatal));
  }

  void countPods(List<ObjectNode> pods) {
    List<ObjectNode> active = pods.stream().filter(PodQueries::isActive).toList();
    Workloads.putCount(status, "active", active.size());
    status.put("ready", (int) active.stream().filter(PodQueries::isReady).count());
    status.put(
        "terminating",
        (int)
            pods.stream()
                .filter(pod -> ObjectFacts.isDeleted(pod) && !PodQueries.isFinished(pod))
                .count());
    Workloads.putCount(status, "succeeded", succeeded);
    Workloads.putCount(status, "failed", failed);
    if (!completed.isEmpty()) {
      status.put(INDEXES, format(completed));
    }
    status.set("uncountedTerminatedPods", JsonTrees.object());
  }

  /** First the interim condition, then the final one when no pod is left. */
  void end(End decided, boolean suspended, boolean over) {
    End end = decided.isReached() ? decided : begun();
    if (!end.isReached()) {
      if (suspended || find("Suspended") != null) {
        set(
            suspended
                ? Condition.yes("Suspended", "JobSuspended", "Job suspended")
                : Condition.no("Suspended", "JobResumed", "Job resumed"));
      }
      return;
    }
    String sign = end.success() ? "SuccessCriteriaMet" : "FailureTarget";
    set(Condition.yes(sign, end.reason(), end.message()));
    if (over) {
      set(Condition.yes(end.success() ? "Complete" : "Failed", end.reason(), end.message()));
      if (end.success()) {
        status.put("completionTime", now);
      }
    }
  }

  /** The result that was decided while pods were left. */
  private End begun() {
    JsonNode failing = find("FailureTarget");
    JsonNode succeeding = find("SuccessCriteriaMet");
    JsonNode sign = failing == null ? succeeding : failing;
    return sign == null
        ? End.NONE
        : new End(failing == null, JsonTrees.text(sign, "reason"), JsonTrees.text(sign, "message"));
  }

  private @Nullable JsonNode find(String type) {
    ObjectNode object = JsonTrees.object();
    object.set("status", status);
    return StatusConditions.find(object, type);
  }

  private void set(Condition condition) {
    JsonNode before = find(condition.type());
    ArrayNode conditions = StatusConditions.with(status.path("conditions"), condition, now);
    boolean news = before == null || !JsonTrees.text(before, "status").equals(condition.status());
    if (news) {
      conditions
          .valueStream()
          .filter(each -> JsonTrees.text(each, "type").equals(condition.type()))
          .forEach(each -> ((ObjectNode) each).put("lastProbeTime", now));
    }
    status.set("conditions", conditions);
  }

  ObjectNode tree() {
    return status;
  }

  /** Parses {@code 0-2,5}. */
  private static BitSet parse(String ranges) {
    BitSet set = new BitSet();
    for (String range : ranges.isEmpty() ? new String[0] : ranges.split(",", -1)) {
      String[] ends = range.split("-", -1);
      int first = Integer.parseInt(ends[0]);
      set.set(first, Integer.parseInt(ends[ends.length - 1]) + 1);
    }
    return set;
  }

  private static String format(BitSet set) {
    List<String> ranges = new ArrayList<>();
    int first = set.nextSetBit(0);
    while (first >= 0) {
      int last = set.nextClearBit(first) - 1;
      ranges.add(first == last ? Integer.toString(first) : first + "-" + last);
      first = set.nextSetBit(last + 1);
    }
    return String.join(",", ranges);
  }
}
