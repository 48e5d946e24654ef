package dev.drydock.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.kube.Conditions;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Counts what happened to pods. Pods that finished by themselves do not count. */
final class PodOutcomes {
  /**
   * The counts.
   *
   * @param lost not recreated, because they have no controller
   * @param cutOff ran on a node when it stopped responding
   * @param pendingMost the most pods that were unschedulable at a time
   */
  record Count(
      int evicted, int deleted, int lost, int cutOff, int started, int pendingMost, int pending) {}

  /** An unschedulable pod, and since when. */
  private record Waiting(String workload, String why, Instant since) {}

  private final VirtualCluster cluster;
  private final Timeline timeline;
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();
  private final Set<String> givenUp = new HashSet<>();
  private final Set<String> ended = new HashSet<>();
  private int pods;
  private int notReady;
  private boolean begun;
  private int evicted;
  private int deleted;
  private int lost;
  private int cutOff;
  private int started;
  private int pendingMost;

  PodOutcomes(VirtualCluster cluster, Timeline timeline) {
    this.cluster = cluster;
    this.timeline = timeline;
    cluster.onPod(this::changed);
  }

  private void changed(Optional<JsonNode> before, Optional<JsonNode> after) {
    pods += (after.isPresent() ? 1 : 0) - (before.isPresent() ? 1 : 0);
    boolean wasReady = before.filter(PodOutcomes::isReady).isPresent();
    boolean ready = after.filter(PodOutcomes::isReady).isPresent();
    notReady += (after.isPresent() && !ready ? 1 : 0) - (before.isPresent() && !wasReady ? 1 : 0);
    if (begun && ready && !wasReady) {
      started++;
    }
    after.filter(PodOutcomes::hasEnded).ifPresent(pod -> ended.add(uid(pod)));
    if (begun && after.isEmpty() && before.filter(this::isLost).isPresent()) {
      lost++;
    }
    if (begun && after.filter(PodOutcomes::isDeleted).isPresent()) {
      tellIfGivenUp(before, after.orElseThrow());
    }
    wait(after.or(() -> before).orElseThrow(), after);
  }

  /** Pods on an unresponsive node are deleted after a while and recreated elsewhere. */
  private void tellIfGivenUp(Optional<JsonNode> before, JsonNode pod) {
    String node = pod.path("spec").path("nodeName").asText("");
    boolean now = before.filter(PodOutcomes::isDeleted).isEmpty();
    if (now && NodeFailures.isSilent(cluster.node(node)) && givenUp.add(node)) {
      timeline.add(
          cluster.now(), Timeline.Event.GIVEN_UP, "its pods are deleted" + whatThen(node), node);
    }
  }

  private String whatThen(String node) {
    boolean stateful = false;
    boolean bare = false;
    boolean replaced = false;
    for (JsonNode pod : cluster.podsOn(node)) {
      if (ended.contains(uid(pod))) {
        continue;
      }
      String owner = pod.path("metadata").path("ownerReferences").path(0).path("kind").asText("");
      stateful |= owner.equals("StatefulSet");
      bare |= owner.isEmpty();
      // DaemonSet pods tolerate it and stay
      replaced |= !List.of("StatefulSet", "DaemonSet", "").contains(owner);
    }
    return (replaced ? " and replaced" : "")
        + (stateful ? "; those of StatefulSets are not replaced while it is silent" : "")
        + (bare ? "; bare pods are not recreated" : "");
  }

  /** Finished by itself; deleted pods end, too. */
  private static boolean hasEnded(JsonNode pod) {
    String phase = pod.path("status").path("phase").asText("");
    return (phase.equals("Succeeded") || phase.equals("Failed")) && !isDeleted(pod);
  }

  private boolean isLost(JsonNode pod) {
    return pod.path("metadata").path("ownerReferences").isEmpty() && !ended.contains(uid(pod));
  }

  private static String uid(JsonNode pod) {
    return pod.path("metadata").path("uid").asText();
  }

  private static boolean isDeleted(JsonNode pod) {
    return pod.path("metadata").has("deletionTimestamp");
  }

  private void wait(JsonNode pod, Optional<JsonNode> after) {
    String uid = uid(pod);
    boolean waits = after.filter(PodOutcomes::isWaiting).isPresent();
    if (!waits) {
      boolean last = waiting.remove(uid) != null && waiting.isEmpty();
      if (last && begun) {
        timeline.add(cluster.now(), Timeline.Event.ROOM, "every pod has found room");
      }
      return;
    }
    boolean first = waiting.isEmpty();
    Waiting known = waiting.get(uid);
    Instant since = known == null ? cluster.now() : known.since();
    waiting.put(uid, new Waiting(workload(pod), whyNot(pod), since));
    pendingMost = Math.max(pendingMost, begun ? waiting.size() : 0);
    if (first && begun) {
      timeline.add(
          cluster.now(),
          Timeline.Event.NO_ROOM,
          "a pod of " + workload(pod) + " finds no room: " + whyNot(pod));
    }
  }

  /** The scheduler has tried and found no node. */
  private static boolean isWaiting(JsonNode pod) {
    return pod.path("spec").path("nodeName").asText("").isEmpty()
        && !isDeleted(pod)
        && !whyNot(pod).isEmpty();
  }

  private static String whyNot(JsonNode pod) {
    return Conditions.of(pod.path("status"))
        .get("PodScheduled", Conditions.FALSE)
        .map(scheduled -> scheduled.path("message").asText("no node has room"))
        .orElse("");
  }

  private static boolean isReady(JsonNode pod) {
    return Conditions.of(pod.path("status")).isTrue("Ready");
  }

  static String workload(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    JsonNode owner = metadata.path("ownerReferences").path(0);
    String name =
        owner.isMissingNode() ? metadata.path("name").asText() : owner.path("name").asText();
    return metadata.path("namespace").asText() + "/" + name;
  }

  void begin() {
    begun = true;
    pendingMost = waiting.size();
  }

  void evicted(PodRef pod) {
    evicted += ended.contains(pod.uid()) ? 0 : 1;
  }

  void deleted(PodRef pod) {
    deleted += ended.contains(pod.uid()) ? 0 : 1;
  }

  /** How many pods run on these nodes, which are about to stop responding. */
  int cutOff(List<String> nodes) {
    int running =
        (int)
            nodes.stream()
                .flatMap(node -> cluster.podsOn(node).stream())
                .filter(pod -> !hasEnded(pod))
                .count();
    cutOff += running;
    return running;
  }

  int pods() {
    return pods;
  }

  /** Pods that are not ready: before the scenario, those that are still starting. */
  int notReady() {
    return notReady;
  }

  Count count() {
    return new Count(evicted, deleted, lost, cutOff, started, pendingMost, waiting.size());
  }

  /** Unschedulable pods, counted by workload and reason. */
  Map<String, Map<String, Integer>> waiting() {
    Map<String, Map<String, Integer>> byWorkload = new TreeMap<>();
    for (Waiting pod : waiting.values()) {
      byWorkload
          .computeIfAbsent(pod.workload(), _ -> new TreeMap<>())
          .merge(pod.why(), 1, Integer::sum);
    }
    return byWorkload;
  }
}
