package dev.drydock.maintenance.campaign;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Source;
import dev.drydock.kube.Typed;
import java.time.Instant;
import java.util.Optional;

/**
 * A MaintenanceCampaign as it was read.
 *
 * @param version its resourceVersion
 * @param status as it stands
 */
public record MaintenanceCampaignObject(
    String name,
    String uid,
    String version,
    long generation,
    Instant created,
    boolean deleted,
    MaintenanceCampaignSpec spec,
    Optional<String> approvedBy,
    JsonNode status) {
  static final String API_VERSION = MaintenanceCampaign.GROUP + "/" + MaintenanceCampaign.VERSION;

  public static final Source ALL =
      new Source("/apis/" + API_VERSION + "/" + MaintenanceCampaign.PLURAL, "");

  public static MaintenanceCampaignObject read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new MaintenanceCampaignObject(
        text(metadata, "name"),
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        metadata.path("generation").asLong(),
        time(metadata, "creationTimestamp"),
        metadata.hasNonNull("deletionTimestamp"),
        Typed.read(object.path("spec"), MaintenanceCampaignSpec.class),
        Optional.of(text(metadata.path("annotations"), CampaignNames.APPROVED_BY))
            .filter(who -> !who.isBlank()),
        object.path("status"));
  }

  /** The ID of its maintenances. */
  public String maintenanceID() {
    String own = spec.maintenanceID();
    return own == null ? name : own;
  }

  /** Where its maintenances are. */
  public String namespace() {
    String own = spec.namespace();
    return own == null ? CampaignNames.DEFAULT_NAMESPACE : own;
  }

  /** Whether it matters to it how long nodes take to be empty. */
  boolean needsPods() {
    CampaignOrder order = spec.order() == null ? CampaignOrder.SOONEST : spec.order();
    boolean byWork = order == CampaignOrder.SOONEST || order == CampaignOrder.ZONE;
    return byWork && !isOver();
  }

  /** Whether no node will leave any more and none is out. */
  public boolean isOver() {
    for (JsonNode condition : status.path("conditions")) {
      if (text(condition, "type").equals(CampaignStatus.COMPLETE)) {
        return text(condition, "status").equals("True");
      }
    }
    return false;
  }

  String path() {
    return ALL.path() + "/" + name;
  }

  EventRecorder.Regarding regarding() {
    return new EventRecorder.Regarding(API_VERSION, MaintenanceCampaign.KIND, "", name, uid);
  }
}
