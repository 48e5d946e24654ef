package dev.drydock.simulate.export;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.simulate.fleet.Workload;
import dev.drydock.simulate.fleet.Workload.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Collects Pods and groups those with the same owner into workloads. */
final class PodRecords implements Consumer<JsonNode> {
  /** A longer time is not a start: the pod became ready again for another reason. */
  private static final Duration LONGEST_START = Duration.ofMinutes(10);

  private static final String TEMPLATE_HASH = "pod-template-hash";

  private record Owner(String namespace, Kind kind, String name) {}

  /** Pods of one owner, described by the first of them. */
  private static final class Group {
    private final PodProfile profile;
    private final Map<String, Integer> placed = new TreeMap<>();
    private final List<Duration> starts = new ArrayList<>();
    private int pods;
    private int unready;

    Group(PodProfile profile) {
      this.profile = profile;
    }
  }

  private final Set<String> nodes;
  private final Map<Owner, Group> groups = new LinkedHashMap<>();
  private int pods;

  /** Pods on unknown nodes count as pending. */
  PodRecords(Set<String> nodes) {
    this.nodes = nodes;
  }

  @Override
  public void accept(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    JsonNode status = pod.path("status");
    String phase = status.path("phase").asText("");
    boolean ended = phase.equals("Succeeded") || phase.equals("Failed");
    boolean mirror = metadata.path("annotations").has("kubernetes.io/config.mirror");
    if (ended || mirror || metadata.has("deletionTimestamp")) {
      return;
    }
    pods++;
    Group group = groups.computeIfAbsent(owner(metadata), _ -> new Group(PodProfile.of(pod)));
    group.pods++;
    String node = pod.path("spec").path("nodeName").asText("");
    if (nodes.contains(node)) {
      group.placed.merge(node, 1, Integer::sum);
      observeStart(group, status);
    }
  }

  private static void observeStart(Group group, JsonNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        if (!condition.path("status").asText().equals("True")) {
          group.unready++;
        } else if (status.has("startTime") && condition.has("lastTransitionTime")) {
          Duration took =
              Duration.between(
                  Instant.parse(status.path("startTime").asText()),
                  Instant.parse(condition.path("lastTransitionTime").asText()));
          if (!took.isNegative() && took.compareTo(LONGEST_START) <= 0) {
            // API times are whole seconds, and no start takes zero time
            group.starts.add(took.isZero() ? Duration.ofSeconds(1) : took);
          }
        }
      }
    }
  }

  private static Owner owner(JsonNode metadata) {
    String namespace = metadata.path("namespace").asText();
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean(false)) {
        String name = owner.path("name").asText();
        return switch (owner.path("kind").asText()) {
          case "ReplicaSet" ->
              new Owner(namespace, Kind.Deployment, deployment(name, metadata.path("labels")));
          case "StatefulSet" -> new Owner(namespace, Kind.StatefulSet, name);
          case "DaemonSet" -> new Owner(namespace, Kind.DaemonSet, name);
          case "Job" -> new Owner(namespace, Kind.Job, name);
          // An unknown owner recreates its pods in some way; a Deployment is the best guess.
          default -> new Owner(namespace, Kind.Deployment, name);
        };
      }
    }
    return new Owner(namespace, Kind.Bare, metadata.path("name").asText());
  }

  private static String deployment(String replicaSet, JsonNode labels) {
    String suffix = "-" + labels.path(TEMPLATE_HASH).asText("");
    return suffix.length() > 1 && replicaSet.endsWith(suffix)
        ? replicaSet.substring(0, replicaSet.length() - suffix.length())
        : replicaSet;
  }

  int count() {
    return pods;
  }

  List<Workload> workloads() {
    List<Workload> workloads = new ArrayList<>();
    groups.forEach(
        (owner, group) -> {
          boolean everywhere = owner.kind() == Kind.DaemonSet;
          PodProfile profile = group.profile;
          workloads.add(
              new Workload(
                  owner.namespace(),
                  owner.name(),
                  owner.kind(),
                  everywhere ? 0 : group.pods,
                  profile.labels(),
                  profile.requests(),
                  profile.where(everywhere ? Map.of() : group.placed),
                  profile.times(starts(group)),
                  profile.traits(everywhere ? 0 : group.unready)));
        });
    return workloads;
  }

  /** From the shortest to the longest observed; empty if none was. */
  private static String starts(Group group) {
    if (group.starts.isEmpty()) {
      return "";
    }
    long least = group.starts.stream().mapToLong(Duration::toSeconds).min().orElse(0);
    long most = group.starts.stream().mapToLong(Duration::toSeconds).max().orElse(0);
    return least == most ? least + "s" : least + "s.." + most + "s";
  }
}
