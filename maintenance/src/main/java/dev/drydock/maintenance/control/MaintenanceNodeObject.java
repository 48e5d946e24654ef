package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Versioned;
import dev.drydock.maintenance.decide.DesiredNodeConditions;
import dev.drydock.maintenance.decide.MaintainedNode;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
    Conditions conditions)
    implements Versioned {
  public static final Source ALL = Resource.NODES.all();

  private static final Set<String> ABOUT_MAINTENANCE =
      Arrays.stream(DesiredNodeConditions.Type.values())
          .map(Enum::name)
          .collect(Collectors.toUnmodifiableSet());

  public static MaintenanceNodeObject read(JsonNode read) {
    ApiObject object = ApiObject.of(read);
    boolean ready = object.conditions().isTrue("Ready");
    Conditions conditions =
        new Conditions(
            object.conditions().all().stream()
                .filter(condition -> ABOUT_MAINTENANCE.contains(text(condition, "type")))
                .toList());
    boolean cordoned = object.spec().path("unschedulable").asBoolean(false);
    Optional<String> holds = Optional.ofNullable(object.annotations().get(HoldsAnnotation.NAME));
    return new MaintenanceNodeObject(
        new MaintainedNode(object.name(), cordoned, object.labels().keySet()),
        new FleetNode(
            object.name(),
            object.labels(),
            object.created(),
            ready,
            cordoned,
            holders(object.name(), holds, cordoned)),
        object.uid(),
        object.version(),
        ready,
        holds,
        conditions);
  }

  private static List<String> holders(String node, Optional<String> holds, boolean cordoned) {
    try {
      return List.copyOf(HoldsAnnotation.read(node, holds, cordoned).byHolder().keySet());
    } catch (HoldsUnreadable unreadable) {
      return List.of("someone: " + unreadable.getMessage());
    }
  }

  /** Whether it is held for this maintenance, and not for an earlier one of the same name. */
  boolean isHeldFor(MaintenanceFacts maintenance) {
    Hold hold = byHolder().get(maintenance.holder());
    return hold != null && hold.mayBeOf(maintenance.identity().uid());
  }

  /** Whether the hold of a maintenance that it is held for names this work. */
  boolean names(Hold.Work work, MaintenanceFacts maintenance) {
    Hold hold = byHolder().get(maintenance.holder());
    return hold != null && hold.work().filter(work::equals).isPresent();
  }

  /** Holds of maintenances that say whose they are. */
  List<Hold> maintenanceHolds() {
    return byHolder().values().stream()
        .filter(hold -> hold.holder().startsWith(MaintenanceFacts.HOLDER_PREFIX))
        .filter(hold -> hold.owner().isPresent())
        .toList();
  }

  private Map<String, Hold> byHolder() {
    return HoldsAnnotation.read(facts.name(), holds, facts.unschedulable()).byHolder();
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

  /** For writing back. */
  ApiObject object() {
    return ApiObject.identified("", facts.name(), uid, version);
  }
}
