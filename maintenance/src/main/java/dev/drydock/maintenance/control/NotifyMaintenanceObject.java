package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Typed;
import dev.drydock.kube.VersionedObject;
import dev.drydock.maintenance.decide.AdvisoryConditions;
import dev.drydock.maintenance.decide.MaintenanceEvent;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A NotifyMaintenance as it was read: what decisions need, and what writing back needs.
 *
 * @param campaign that created it, if one did
 * @param client whom notices are for
 */
public record NotifyMaintenanceObject(
    MaintenanceFacts facts, ApiObject object, Optional<String> campaign, String client)
    implements VersionedObject {
  public static final Resource RESOURCE =
      Resource.namespaced(
          NotifyMaintenance.GROUP,
          NotifyMaintenance.VERSION,
          NotifyMaintenance.PLURAL,
          NotifyMaintenance.KIND);

  /** How the names of labels and annotations begin that mean something. */
  private static final List<String> OURS = List.of("maintenance", "drydock.dev/");

  public static NotifyMaintenanceObject read(JsonNode read) {
    ApiObject object = ApiObject.bounded(read, OURS).complete();
    JsonNode status = object.status();
    NotifyMaintenanceSpec spec = Typed.read(object.spec(), NotifyMaintenanceSpec.class);
    var _ = Typed.required("spec.nodeObject", spec.nodeObject());
    var _ = Typed.required("spec.maintenanceID", spec.maintenanceID());
    var _ = Typed.required("spec.maintenanceType", spec.maintenanceType());
    MaintenanceFacts facts =
        new MaintenanceFacts(
            new MaintenanceFacts.Identity(
                object.namespace(), object.name(), object.uid(), object.created()),
            spec,
            object.deleted(),
            object.hasFinalizer(MaintenanceNames.FINALIZER),
            object.labels().containsKey(MaintenanceNames.label(spec.maintenanceID())),
            ours(object.annotations()),
            MaintenanceState.of(text(status, "maintenanceStatus")),
            Optional.of(text(status, "slaExpires"))
                .filter(text -> !text.isEmpty())
                .map(text -> time(status, "slaExpires")),
            conditions(status));
    return new NotifyMaintenanceObject(
        facts,
        object,
        Optional.ofNullable(object.labels().get(CampaignNames.CAMPAIGN_LABEL)),
        object
            .labels()
            .getOrDefault(MaintenanceNames.CLIENT_LABEL, MaintenanceNames.DEFAULT_CLIENT));
  }

  /** The state of a maintenance that ended without a proof that its node is fit. */
  static Optional<String> unfit(JsonNode read) {
    return Optional.of(MaintenanceState.INCOMPLETE.text())
        .filter(text(read.path("status"), "maintenanceStatus")::equals);
  }

  private static Map<String, String> ours(Map<String, String> annotations) {
    Map<String, String> ours = new HashMap<>(annotations);
    ours.keySet()
        .removeIf(name -> !name.startsWith("maintenance/") && !name.startsWith("maintenance."));
    return ours;
  }

  private static Map<String, String> conditions(JsonNode status) {
    Map<String, String> conditions = new HashMap<>();
    status
        .path("conditions")
        .forEach(condition -> conditions.put(text(condition, "type"), text(condition, "status")));
    return conditions;
  }

  public JsonNode status() {
    return object.status();
  }

  /** What has to happen next, for people; may be empty. */
  public String waitingFor() {
    return text(status(), "waitingFor");
  }

  /** The entries of its history, oldest first. */
  public JsonNode history() {
    return status().path("history");
  }

  /** Whether its completion was recorded as one that came too early. */
  boolean isUncordonedMidway() {
    return object
        .conditions()
        .get(AdvisoryConditions.COMPLETED)
        .filter(each -> text(each, "reason").equals(MaintenanceEvent.UncordonedMidway.name()))
        .isPresent();
  }

  EventRecorder.Regarding regarding() {
    return object.regarding(RESOURCE);
  }

  /** When the state it is in was entered; its creation, if it is in none yet. */
  public Instant since() {
    return lastTransition().orElse(facts.identity().created());
  }

  /** When the state it is in was entered; empty if it is in none yet. */
  public Optional<Instant> lastTransition() {
    JsonNode transitions = status().path("transitionTimestamps");
    return transitions.isEmpty()
        ? Optional.empty()
        : Optional.of(time(transitions.get(transitions.size() - 1), "transitionTimestamp"));
  }

  /** When somebody deleted it, if so. */
  public Optional<Instant> deletedAt() {
    return facts.deleted()
        ? Optional.of(time(object.root().path("metadata"), "deletionTimestamp"))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return facts.identity().toString();
  }
}
