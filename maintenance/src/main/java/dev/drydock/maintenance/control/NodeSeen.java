package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.kube.HoldsAnnotation;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Reflector;
import dev.drydock.maintenance.decide.MaintainedNode;
import dev.drydock.maintenance.decide.NodeStanding;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * A Node as it was read.
 *
 * @param ready its kubelet reports, and says so
 * @param holds who keeps it out of service, as it is written down
 * @param conditions those about maintenance only
 */
record NodeSeen(
    MaintainedNode facts,
    String uid,
    String version,
    boolean ready,
    Optional<String> holds,
    Map<NodeStanding.Type, Condition> conditions) {
  static final Reflector.Source ALL = new Reflector.Source("/api/v1/nodes", "");

  /** A condition as it stands. */
  record Condition(String status, String reason, Instant since) {}

  static NodeSeen read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    Map<NodeStanding.Type, Condition> conditions = new EnumMap<>(NodeStanding.Type.class);
    boolean ready = false;
    for (JsonNode condition : object.path("status").path("conditions")) {
      ready |= text(condition, "type").equals("Ready") && text(condition, "status").equals("True");
      for (NodeStanding.Type type : NodeStanding.Type.values()) {
        if (text(condition, "type").equals(type.name())) {
          conditions.put(
              type,
              new Condition(
                  text(condition, "status"),
                  text(condition, "reason"),
                  time(condition, "lastTransitionTime")));
        }
      }
    }
    return new NodeSeen(
        new MaintainedNode(
            text(metadata, "name"),
            object.path("spec").path("unschedulable").asBoolean(false),
            texts(metadata.path("labels")).keySet()),
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        ready,
        Optional.ofNullable(texts(metadata.path("annotations")).get(HoldsAnnotation.NAME)),
        conditions);
  }

  boolean isHeldBy(String holder) {
    return HoldsAnnotation.read(facts.name(), holds, facts.unschedulable()).heldBy(holder);
  }

  boolean isSameButForVersion(NodeSeen other) {
    return equals(
        new NodeSeen(other.facts, other.uid, version, other.ready, other.holds, other.conditions));
  }

  static String path(String name) {
    return ALL.path() + "/" + ApiCall.encode(name);
  }
}
