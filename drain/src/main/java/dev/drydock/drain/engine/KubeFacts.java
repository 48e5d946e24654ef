package dev.drydock.drain.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.engine.decide.NodeFacts;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.hold.DrainApiPaths;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The engine's own way of reading API objects and of writing requests, for those who drive its
 * decisions without its threads and connections: exports and simulations.
 */
public final class KubeFacts {
  private KubeFacts() {}

  /** What only its owner knows, such as whether a DaemonSet exists, is for the caller to add. */
  public static PodFacts pod(JsonNode pod) {
    return PodReader.read(pod);
  }

  public static BudgetFacts budget(JsonNode budget) {
    return BudgetReader.read(budget);
  }

  public static NodeFacts node(JsonNode node) {
    return DrainNodeObject.read(node).facts();
  }

  /** Who keeps the node out of service. */
  public static Holds holds(JsonNode node) {
    return DrainNodeObject.read(node).holds();
  }

  /** Whether pods of this controller are put on a node past scheduler and cordon. */
  public static boolean pins(JsonNode owner) {
    return OwnerLookups.pins(owner);
  }

  /** The request that carries an action out. */
  public static ApiCall request(Action action) {
    return PodActions.request(action, Map.of(), false);
  }

  /** What an answer to that request means. */
  public static EvictionAnswer answer(Action action, int code, JsonNode body) {
    return PodActions.judge(action, new KubeAnswer(code, body, Optional.<Duration>empty()));
  }

  /** The request that changes who holds a node, if the operation changes anything. */
  public static Optional<ApiCall> holds(JsonNode node, Function<Holds, Holds.Change> operation) {
    DrainNodeObject seen = DrainNodeObject.read(node);
    Holds before = seen.holds();
    Holds after = operation.apply(before).holds();
    return after.equals(before)
        ? Optional.empty()
        : Optional.of(
            ApiCall.mergePatch(DrainApiPaths.node(seen.name()), NodeHolds.patch(seen, after)));
  }
}
