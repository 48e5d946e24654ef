package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.json.JsonTrees;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Which surplus pods of a controller are deleted first. Pure. */
final class PodDeletionOrder {
  private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

  private PodDeletionOrder() {}

  /**
   * The given number of pods, in this order: unassigned, not running, not ready, lowest deletion
   * cost, most pods of the controller on the same node, youngest.
   */
  static List<ObjectNode> choose(Collection<ObjectNode> pods, int count) {
    if (count <= 0) {
      return List.of();
    }
    Map<String, Integer> onNode = new HashMap<>();
    pods.forEach(pod -> onNode.merge(PodQueries.node(pod), 1, Integer::sum));
    Comparator<ObjectNode> order =
        Comparator.comparing((ObjectNode pod) -> !PodQueries.node(pod).isEmpty())
            .thenComparing(pod -> PodQueries.phase(pod).equals("Running"))
            .thenComparing(PodQueries::isReady)
            .thenComparingInt(PodDeletionOrder::cost)
            .thenComparingInt(pod -> -onNode.getOrDefault(PodQueries.node(pod), 0))
            .thenComparing(PodDeletionOrder::readySince, Comparator.reverseOrder())
            .thenComparing(PodDeletionOrder::created, Comparator.reverseOrder())
            .thenComparing(pod -> JsonTrees.text(pod, "metadata", "name"));
    return pods.stream().sorted(order).limit(count).toList();
  }

  private static int cost(ObjectNode pod) {
    String cost = JsonTrees.text(pod, "metadata", "annotations", COST);
    return NUMBER.matcher(cost).matches() ? Integer.parseInt(cost) : 0;
  }

  private static Instant readySince(ObjectNode pod) {
    Instant since = PodQueries.readySince(pod);
    return since == null ? Instant.EPOCH : since;
  }

  private static String created(ObjectNode pod) {
    return JsonTrees.text(pod, "metadata", "creationTimestamp");
  }
}
