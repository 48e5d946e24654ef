package dev.drydock.app.status;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.Holds;
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

  static NodeSnapshot read(JsonNode node) {
    String name = text(node.path("metadata"), "name");
    boolean unschedulable = node.path("spec").path("unschedulable").asBoolean(false);
    JsonNode annotation = node.path("metadata").path("annotations").path(HoldsAnnotation.NAME);
    Holds holds = Holds.of(List.of(), unschedulable);
    Optional<String> unreadable = Optional.empty();
    try {
      holds =
          HoldsAnnotation.read(
              name,
              annotation.isTextual() ? Optional.of(annotation.asText()) : Optional.empty(),
              unschedulable);
    } catch (HoldsUnreadable malformed) {
      unreadable = Optional.of(String.valueOf(malformed.getMessage()));
    }
    return new NodeSnapshot(
        name,
        holds,
        notReady(node),
        since(node, "DrainInProgress"),
        since(node, "Drained"),
        unreadable);
  }

  private static Optional<NotReady> notReady(JsonNode node) {
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (text(condition, "type").equals("Ready")) {
        return text(condition, "status").equals("True")
            ? Optional.empty()
            : Optional.of(
                new NotReady(time(condition, "lastTransitionTime"), text(condition, "message")));
      }
    }
    return Optional.of(
        new NotReady(
            time(node.path("metadata"), "creationTimestamp"), "its kubelet has not reported yet"));
  }

  private static Optional<Instant> since(JsonNode node, String type) {
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (text(condition, "type").equals(type) && text(condition, "status").equals("True")) {
        return Optional.of(time(condition, "lastTransitionTime"));
      }
    }
    return Optional.empty();
  }
}
