package dev.drydock.app.status;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The facts about a Node's service.
 *
 * @param notReady absent if its kubelet reports ready
 * @param draining since when it is being drained
 * @param drained since when it is empty
 * @param unreadable why its holds cannot be parsed; then it counts as not held
 */
record NodeSnapshot(
    String name,
    Holds holds,
    Optional<NotReady> notReady,
    Optional<Instant> draining,
    Optional<Instant> drained,
    Optional<String> unreadable) {

  /** Why a node is not ready, from its kubelet or the node controller. */
  record NotReady(Instant since, String message) {}

  static NodeSnapshot read(JsonNode json) {
    DrainNodeObject node = DrainNodeObject.read(json);
    ApiObject object = ApiObject.of(json);
    Holds holds = Holds.of(List.of(), node.facts().unschedulable());
    Optional<String> unreadable = Optional.empty();
    try {
      holds = node.holds();
    } catch (HoldsUnreadable malformed) {
      unreadable = Optional.of(String.valueOf(malformed.getMessage()));
    }
    return new NodeSnapshot(
        node.name(),
        holds,
        notReady(object),
        since(object, "DrainInProgress"),
        since(object, "Drained"),
        unreadable);
  }

  private static Optional<NotReady> notReady(ApiObject node) {
    if (node.conditions().isTrue("Ready")) {
      return Optional.empty();
    }
    return Optional.of(
        node.conditions()
            .get("Ready")
            .map(ready -> new NotReady(time(ready, "lastTransitionTime"), text(ready, "message")))
            .orElseGet(() -> new NotReady(node.created(), "its kubelet has not reported yet")));
  }

  private static Optional<Instant> since(ApiObject node, String type) {
    return node.conditions()
        .get(type, Conditions.TRUE)
        .map(condition -> time(condition, "lastTransitionTime"));
  }
}
