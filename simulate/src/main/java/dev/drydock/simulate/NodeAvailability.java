package dev.drydock.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Conditions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Records when nodes were in service: schedulable, ready and connected. */
final class NodeAvailability {
  /**
   * The total time that nodes were out of service, by cause.
   *
   * @param nodesOut how many still are
   */
  record Outage(Duration total, Duration cordoned, Duration down, int nodesOut) {}

  private record State(boolean cordoned, boolean down, Instant since) {
    boolean isOut() {
      return cordoned || down;
    }
  }

  private final VirtualCluster cluster;
  private final Timeline timeline;
  private final Map<String, State> states = new HashMap<>();
  private Duration total = Duration.ZERO;
  private Duration cordoned = Duration.ZERO;
  private Duration down = Duration.ZERO;
  private boolean begun;

  NodeAvailability(VirtualCluster cluster, Timeline timeline) {
    this.cluster = cluster;
    this.timeline = timeline;
    cluster.onNode(this::changed);
  }

  private void changed(Optional<JsonNode> before, Optional<JsonNode> after) {
    JsonNode node = after.or(() -> before).orElseThrow();
    String name = node.path("metadata").path("name").asText();
    boolean ready = after.isPresent() && isReady(node);
    if (begun && before.isPresent() && ready != isReady(before.get())) {
      report(name, ready);
    }
    become(
        name,
        node.path("spec").path("unschedulable").asBoolean(false),
        !ready || NodeFailures.isSilent(node));
  }

  private void report(String name, boolean ready) {
    if (ready) {
      timeline.add(cluster.now(), Timeline.Event.READY, "ready again", name);
    } else {
      timeline.add(cluster.now(), Timeline.Event.NOT_READY, "not ready", name);
    }
  }

  static boolean isReady(JsonNode node) {
    return Conditions.of(node.path("status")).isTrue("Ready");
  }

  private void become(String name, boolean isCordoned, boolean isDown) {
    State before = states.get(name);
    if (before != null && before.cordoned() == isCordoned && before.down() == isDown) {
      return;
    }
    if (before != null) {
      pass(before, cluster.now());
    }
    states.put(name, new State(isCordoned, isDown, cluster.now()));
  }

  private void pass(State state, Instant until) {
    if (!begun || !until.isAfter(state.since())) {
      return;
    }
    Duration passed = Duration.between(state.since(), until);
    if (state.cordoned()) {
      cordoned = cordoned.plus(passed);
    }
    if (state.down()) {
      down = down.plus(passed);
    }
    if (state.isOut()) {
      total = total.plus(passed);
    }
  }

  /**
   * StatefulSets do not replace these pods until their unresponsive node reports that they have
   * ended.
   */
  Map<String, List<String>> awaitedInVain() {
    Map<String, List<String>> pods = new TreeMap<>();
    states.forEach(
        (name, state) -> {
          if (state.down()) {
            for (JsonNode pod : cluster.podsOn(name)) {
              JsonNode metadata = pod.path("metadata");
              String owner = metadata.path("ownerReferences").path(0).path("kind").asText("");
              if (owner.equals("StatefulSet") && metadata.has("deletionTimestamp")) {
                pods.computeIfAbsent(name, _ -> new ArrayList<>())
                    .add(
                        metadata.path("namespace").asText() + "/" + metadata.path("name").asText());
              }
            }
          }
        });
    return pods;
  }

  void begin() {
    begun = true;
    states.replaceAll((_, state) -> new State(state.cordoned(), state.down(), cluster.now()));
  }

  /** The result up to this time, after which nothing changed. */
  Outage until(Instant end) {
    states.values().forEach(state -> pass(state, end));
    long out = states.values().stream().filter(State::isOut).count();
    return new Outage(total, cordoned, down, (int) out);
  }
}
