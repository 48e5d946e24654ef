package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.control.PodFacts;
import dev.drydock.sim.json.Json;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Which pods of a controller go first when there are too many. Pure. */
final class Surplus {
  private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

  private Surplus() {}

  /**
   * So many, in this order: those without a node, those that do not run, those not ready, the
   * cheap, those that share their node with most others, the young.
   */
  static List<ObjectNode> choose(Collection<ObjectNode> pods, int count) {
    if (count <= 0) {
      return List.of();
    }
    Map<String, Integer> onNode = new HashMap<>();
    pods.forEach(pod -> onNode.merge(PodFacts.node(pod), 1, Integer::sum));
    Comparator<ObjectNode> order =
        Comparator.comparing((ObjectNode pod) -> !PodFacts.node(pod).isEmpty())
            .thenComparing(pod -> PodFacts.phase(pod).equals("Running"))
            .thenComparing(PodFacts::isReady)
            .thenComparingInt(Surplus::cost)
            .thenComparingInt(pod -> -onNode.getOrDefault(PodFacts.node(pod), 0))
            .thenComparing(Surplus::readySince, Comparator.reverseOrder())
            .thenComparing(Surplus::created, Comparator.reverseOrder())
            .thenComparing(pod -> Json.text(pod, "metadata", "name"));
    return pods.stream().sorted(order).limit(count).toList();
  }

  private static int cost(ObjectNode pod) {
    String cost = Json.text(pod, "metadata", "annotations", COST);
    return NUMBER.matcher(cost).matches() ? Integer.parseInt(cost) : 0;
  }

  private static Instant readySince(ObjectNode pod) {
    Instant since = PodFacts.readySince(pod);
    return since == null ? Instant.EPOCH : since;
  }

  private static String created(ObjectNode pod) {
    return Json.text(pod, "metadata", "creationTimestamp");
  }
}
