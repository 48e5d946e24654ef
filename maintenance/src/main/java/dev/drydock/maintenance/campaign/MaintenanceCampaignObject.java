package dev.drydock.maintenance.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.ObjectName;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Typed;
import dev.drydock.kube.VersionedObject;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.CampaignRecord;
import dev.drydock.maintenance.decide.campaign.Departure;
import dev.drydock.maintenance.decide.campaign.LedgerEntry;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** A MaintenanceCampaign as it was read. */
public record MaintenanceCampaignObject(ApiObject object, MaintenanceCampaignSpec spec)
    implements VersionedObject {
  public static final Resource RESOURCE =
      Resource.cluster(
          MaintenanceCampaign.GROUP,
          MaintenanceCampaign.VERSION,
          MaintenanceCampaign.PLURAL,
          MaintenanceCampaign.KIND);

  public static final Source ALL = RESOURCE.all();

  private static final int UID_DIGITS = 8;

  public static MaintenanceCampaignObject read(JsonNode object) {
    MaintenanceCampaignSpec spec = Typed.read(object.path("spec"), MaintenanceCampaignSpec.class);
    var _ = Typed.required("spec.nodeSelector", spec.nodeSelector());
    var _ = Typed.required("spec.maintenanceClass", spec.maintenanceClass());
    return new MaintenanceCampaignObject(ApiObject.of(object), spec);
  }

  /** One that is not there yet. */
  public static MaintenanceCampaignObject planned(
      String name, MaintenanceCampaignSpec spec, Instant created) {
    ObjectNode object = Json.object();
    object
        .putObject("metadata")
        .put("name", name)
        .put("uid", "planned")
        .put("creationTimestamp", created.toString());
    return new MaintenanceCampaignObject(ApiObject.of(object), spec);
  }

  public String name() {
    return object.name();
  }

  public Optional<String> approvedBy() {
    return Optional.ofNullable(object.annotations().get(CampaignNames.APPROVED_BY))
        .filter(who -> !who.isBlank());
  }

  /** The current one. */
  public JsonNode status() {
    return object.status();
  }

  /** The ID of its maintenances. */
  public String maintenanceID() {
    String own = spec.maintenanceID();
    return own == null ? name() : own;
  }

  /** Where its maintenances are. */
  public String namespace() {
    String own = spec.namespace();
    return own == null ? CampaignNames.DEFAULT_NAMESPACE : own;
  }

  /**
   * How its maintenance of a node is called: the same for the same node, so that it cannot be made
   * twice, and another for a campaign that gets the same name later.
   */
  String maintenanceName(String node) {
    return maintenanceName(name(), uid(), node);
  }

  /** The entry of a departure, whose campaign may be gone. */
  static LedgerEntry entry(Departure departure, Collection<MaintenanceCampaignObject> campaigns) {
    return new LedgerEntry(
        departure,
        maintenanceName(departure.by(), departure.uid(), departure.node()),
        campaigns.stream()
            .filter(campaign -> campaign.uid().equals(departure.uid()))
            .findFirst()
            .map(MaintenanceCampaignObject::namespace));
  }

  /** The name of the maintenance of a campaign that may be gone. */
  static String maintenanceName(String campaign, String uid, String node) {
    String end = "-" + uid.substring(0, Math.min(UID_DIGITS, uid.length()));
    String name = campaign + "-" + node;
    return ObjectName.of(name, name, end);
  }

  /** Whether a maintenance is the one that this campaign makes; labels say nothing about that. */
  boolean isOwnerOf(NotifyMaintenanceObject seen) {
    return seen.object().namespace().equals(namespace())
        && seen.object().name().equals(maintenanceName(seen.facts().node()))
        && seen.facts().spec().maintenanceID().equals(maintenanceID())
        && spec.maintenanceClass().equals(seen.facts().spec().maintenanceClass());
  }

  /** Whether it matters to it how long nodes take to be empty. */
  boolean needsPods() {
    CampaignOrder order = spec.order() == null ? CampaignOrder.SOONEST : spec.order();
    boolean byWork = order == CampaignOrder.SOONEST || order == CampaignOrder.ZONE;
    return byWork && !isOver();
  }

  /** Whether no node will leave any more and none is out. */
  public boolean isOver() {
    return object.conditions().isTrue(CampaignStatus.COMPLETE);
  }

  /** What its status says about the record of the nodes that are done. */
  CampaignRecord record() {
    JsonNode recorded = status().path("ledger");
    boolean over =
        object
            .conditions()
            .get(CampaignStatus.COMPLETE)
            .filter(condition -> Fields.text(condition, "status").equals("True"))
            .filter(each -> each.path("observedGeneration").asLong() == object.generation())
            .isPresent();
    return new CampaignRecord(
        Optional.of(Fields.text(recorded, "namespace")).filter(where -> !where.isEmpty()),
        Fields.count(recorded, "done"),
        over);
  }

  EventRecorder.Regarding regarding() {
    return object.regarding(RESOURCE);
  }
}
