package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Source;
import dev.drydock.maintenance.decide.DesiredNodeConditions;
import dev.drydock.maintenance.decide.MaintainedNode;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Node as it was read.
 *
 * @param ready its kubelet reports, and says so
 * @param holds who keeps it out of service, as it is written down
 * @param fleet as campaigns see it
 * @param conditions those about maintenance only
 */
public record MaintenanceNodeObject(
    MaintainedNode facts,
    FleetNode fleet,
    String uid,
    String version,
    boolean ready,
    Optional<String> holds,
    Map<DesiredNodeConditions.Type, Condition> conditions) {
  public static final Source ALL = new Source("/api/v1/nodes", "");

  /** A condition as it stands. */
  public record Condition(String status, String reason, Instant since) {}

  public static MaintenanceNodeObject read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    Map<DesiredNodeConditions.Type, Condition> conditions =
        new EnumMap<>(DesiredNodeConditions.Type.class);
    boolean ready = false;
    for (JsonNode condition : object.path("status").path("conditions")) {
      ready |= text(condition, "type").equals("Ready") && text(condition, "status").equals("True");
      for (DesiredNodeConditions.Type type : DesiredNodeConditions.Type.values()) {
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
    String name = text(metadata, "name");
    boolean cordoned = object.path("spec").path("unschedulable").asBoolean(false);
    Map<String, String> labels = texts(metadata.path("labels"));
    Optional<String> holds =
        Optional.ofNullable(texts(metadata.path("annotations")).get(HoldsAnnotation.NAME));
    return new MaintenanceNodeObject(
        new MaintainedNode(name, cordoned, labels.keySet()),
        new FleetNode(
            name,
            labels,
            time(metadata, "creationTimestamp"),
            ready,
            cordoned,
            holders(name, holds, cordoned)),
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        ready,
        holds,
        conditions);
  }

  private static List<String> holders(String node, Optional<String> holds, boolean cordoned) {
    try {
      return List.copyOf(HoldsAnnotation.read(node, holds, cordoned).byHolder().keySet());
    } catch (HoldsUnreadable unreadable) {
      return List.of("somebody: " + unreadable.getMessage());
    }
  }

  boolean isHeldBy(String holder) {
    return HoldsAnnotation.read(facts.name(), holds, facts.unschedulable()).heldBy(holder);
  }

  boolean isSameButForVersion(MaintenanceNodeObject other) {
    return equals(
        new MaintenanceNodeObject(
            other.facts,
            other.fleet,
            other.uid,
            version,
            other.ready,
            other.holds,
            other.conditions));
  }

  static String path(String name) {
    return ALL.path() + "/" + ApiCall.encode(name);
  }
}
