package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.list;
import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Typed;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A NotifyMaintenance as it was read: what decisions need, and what writing back needs.
 *
 * @param version its resourceVersion
 * @param finalizers all, also those of others
 * @param campaign that created it, if one did
 * @param client whom notices are for
 * @param status as it stands
 */
public record NotifyMaintenanceObject(
    MaintenanceFacts facts,
    String version,
    List<String> finalizers,
    Optional<String> campaign,
    String client,
    JsonNode status) {
  public static NotifyMaintenanceObject read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    JsonNode status = object.path("status");
    Map<String, String> labels = texts(metadata.path("labels"));
    List<String> finalizers = list(metadata.path("finalizers"));
    NotifyMaintenanceSpec spec = Typed.read(object.path("spec"), NotifyMaintenanceSpec.class);
    MaintenanceFacts facts =
        new MaintenanceFacts(
            new MaintenanceFacts.Identity(
                text(metadata, "namespace"),
                text(metadata, "name"),
                text(metadata, "uid"),
                time(metadata, "creationTimestamp")),
            spec,
            metadata.hasNonNull("deletionTimestamp"),
            finalizers.contains(MaintenanceNames.FINALIZER),
            labels.containsKey(MaintenanceNames.label(spec.maintenanceID())),
            annotations(metadata),
            MaintenanceState.of(text(status, "maintenanceStatus")),
            Optional.of(text(status, "slaExpires"))
                .filter(text -> !text.isEmpty())
                .map(text -> time(status, "slaExpires")),
            conditions(status));
    return new NotifyMaintenanceObject(
        facts,
        text(metadata, "resourceVersion"),
        finalizers,
        Optional.ofNullable(labels.get(CampaignNames.CAMPAIGN_LABEL)),
        labels.getOrDefault(MaintenanceNames.CLIENT_LABEL, MaintenanceNames.DEFAULT_CLIENT),
        status);
  }

  private static Map<String, String> annotations(JsonNode metadata) {
    Map<String, String> ours = texts(metadata.path("annotations"));
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

  public String uid() {
    return facts.identity().uid();
  }

  /** Of all namespaces. */
  public static String allPath() {
    return "/apis/"
        + NotifyMaintenance.GROUP
        + "/"
        + NotifyMaintenance.VERSION
        + "/"
        + NotifyMaintenance.PLURAL;
  }

  public String path() {
    return "/apis/%s/%s/namespaces/%s/%s/%s"
        .formatted(
            NotifyMaintenance.GROUP,
            NotifyMaintenance.VERSION,
            facts.identity().namespace(),
            NotifyMaintenance.PLURAL,
            facts.identity().name());
  }

  EventRecorder.Regarding regarding() {
    return new EventRecorder.Regarding(
        NotifyMaintenance.GROUP + "/" + NotifyMaintenance.VERSION,
        NotifyMaintenance.KIND,
        facts.identity().namespace(),
        facts.identity().name(),
        uid());
  }

  /** When the state it is in was entered; its creation, if it is in none yet. */
  public Instant since() {
    JsonNode transitions = status.path("transitionTimestamps");
    return transitions.isEmpty()
        ? facts.identity().created()
        : time(transitions.get(transitions.size() - 1), "transitionTimestamp");
  }

  @Override
  public String toString() {
    return facts.identity().toString();
  }
}
