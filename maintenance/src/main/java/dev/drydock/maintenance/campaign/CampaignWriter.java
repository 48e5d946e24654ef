package dev.drydock.maintenance.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Delete;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.LabelValue;
import dev.drydock.kube.Latest;
import dev.drydock.kube.Patch;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.Departure;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what campaigns do: their maintenances, their status, Events about them. */
final class CampaignWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CampaignWriter.class);

  private final KubeHttp http;
  private final EventRecorder events;

  private final Latest<MaintenanceCampaignObject> latest = new Latest<>();

  /** Refusals by the campaign's UID and node, so that each is recorded once. */
  private final Map<String, Map<String, String>> refusals = new HashMap<>();

  /** UIDs of campaigns that an operator of another namespace serves. */
  private final Set<String> elsewhere = new HashSet<>();

  CampaignWriter(Kube kube) {
    http = kube.http();
    events = kube.events();
  }

  /** With what was written and is not seen yet; what is known of campaigns that are gone goes. */
  List<MaintenanceCampaignObject> latest(List<MaintenanceCampaignObject> watched) {
    List<String> there = watched.stream().map(MaintenanceCampaignObject::uid).toList();
    refusals.keySet().retainAll(there);
    elsewhere.retainAll(there);
    return latest.of(watched);
  }

  /** Whether the maintenance is there now. */
  boolean create(MaintenanceCampaignObject campaign, String node) {
    ObjectNode maintenance =
        NotifyMaintenanceObject.RESOURCE.manifest(
            campaign.namespace(), campaign.maintenanceName(node));
    ObjectNode metadata = maintenance.withObject("/metadata");
    metadata
        .putObject("labels")
        .put(CampaignNames.CAMPAIGN_LABEL, LabelValue.of(campaign.name()))
        .put(CampaignNames.CAMPAIGN_UID, campaign.uid());
    metadata.putArray("finalizers").add(CampaignNames.FINALIZER);
    maintenance
        .putObject("spec")
        .put("nodeObject", node)
        .put("maintenanceID", campaign.maintenanceID())
        .put("maintenanceType", "planned")
        .put("owner", "campaign " + campaign.name())
        .put("maintenanceClass", campaign.spec().maintenanceClass());
    String maintenances = NotifyMaintenanceObject.RESOURCE.collection(campaign.namespace());
    KubeAnswer answer = http.send(ApiCall.create(maintenances, maintenance.toString()));
    Map<String, String> refused = refusals.computeIfAbsent(campaign.uid(), _ -> new HashMap<>());
    boolean exists = answer.code() == HttpURLConnection.HTTP_CONFLICT;
    if (answer.ok() || (exists && isOwn(campaign, node))) {
      refused.remove(node);
      return true;
    }
    String why =
        exists
            ? "NotifyMaintenance %s/%s of node %s exists and is not this campaign's; delete it"
                .formatted(campaign.namespace(), campaign.maintenanceName(node), node)
            : "the NotifyMaintenance of node %s: %s".formatted(node, answer.message());
    if (!why.equals(refused.put(node, why))) {
      LOG.warn("campaign {}: {}", campaign.name(), why);
      record(campaign, CampaignEvent.MaintenanceRefused, why);
    }
    return false;
  }

  /** Whether what has the name of a node's maintenance is that; one that is gone is nobody's. */
  private boolean isOwn(MaintenanceCampaignObject campaign, String node) {
    return http.find(
            NotifyMaintenanceObject.RESOURCE, campaign.namespace(), campaign.maintenanceName(node))
        .map(NotifyMaintenanceObject::read)
        .map(campaign::isOwnerOf)
        .orElse(true);
  }

  /** Why the maintenance of a node could not be created, if so. */
  String refusal(MaintenanceCampaignObject campaign, String node) {
    return refusals.getOrDefault(campaign.uid(), Map.of()).getOrDefault(node, "");
  }

  /** Deletes a maintenance of a node that is done, which a slower process created once more. */
  void takeBack(NotifyMaintenanceObject seen) {
    LOG.info("NotifyMaintenance {}: its node is done, so it is deleted", seen);
    Delete.sameUid(NotifyMaintenanceObject.RESOURCE, seen.object()).send(http);
  }

  /** Lets a maintenance that has ended vanish, if it is deleted. */
  void release(NotifyMaintenanceObject seen) {
    KubeAnswer answer =
        http.send(
            Patch.ifUnchanged(NotifyMaintenanceObject.RESOURCE, seen.object())
                .removeFinalizer(CampaignNames.FINALIZER)
                .call());
    boolean later =
        answer.code() == HttpURLConnection.HTTP_CONFLICT
            || answer.code() == HttpURLConnection.HTTP_NOT_FOUND;
    if (!later) {
      var _ = answer.orThrow("NotifyMaintenance " + seen);
    }
  }

  /** Whether the maintenance of an entry is, as it is now, past all caches. */
  boolean isGoneOrEnded(Departure departure) {
    String maintenance = departure.by();
    int slash = maintenance.indexOf('/');
    return http.find(
            NotifyMaintenanceObject.RESOURCE,
            maintenance.substring(0, slash),
            maintenance.substring(slash + 1))
        .map(NotifyMaintenanceObject::read)
        .filter(there -> there.uid().equals(departure.uid()))
        .filter(there -> !there.facts().isEnded())
        .isEmpty();
  }

  /**
   * Says in the campaign's status that its nodes are recorded in this namespace, unless somebody
   * has changed the campaign meanwhile. Only the operator there serves it from then on.
   */
  void claim(MaintenanceCampaignObject campaign, String namespace) {
    KubeAnswer answer =
        http.send(
            Patch.ifUnchanged(MaintenanceCampaignObject.RESOURCE, campaign.object())
                .status(fields -> fields.putObject("ledger").put("namespace", namespace))
                .call());
    boolean later =
        answer.code() == HttpURLConnection.HTTP_CONFLICT
            || answer.code() == HttpURLConnection.HTTP_NOT_FOUND;
    if (!later) {
      JsonNode claimed = answer.orThrow("MaintenanceCampaign " + campaign.name());
      var _ = latest.wrote(MaintenanceCampaignObject.read(claimed));
    }
  }

  /** Says once that an operator of another namespace serves it. */
  void servedElsewhere(MaintenanceCampaignObject campaign, String where, String here) {
    if (elsewhere.add(campaign.uid())) {
      String note =
          "the operator in namespace %s serves it, where its nodes are recorded, and not that in %s"
              .formatted(where, here);
      LOG.warn("campaign {}: {}", campaign.name(), note);
      record(campaign, CampaignEvent.ServedElsewhere, note);
    }
  }

  /** Only if it says something new. */
  void write(MaintenanceCampaignObject campaign, ObjectNode status) {
    JsonNode stored = latest.of(campaign).status();
    if (isSame(status, stored)) {
      return;
    }
    Optional<JsonNode> after =
        Patch.sameUid(MaintenanceCampaignObject.RESOURCE, campaign.object())
            .status(fields -> fields.setAll(status))
            .sendIfExists(http);
    if (after.isEmpty()) {
      return; // the watch will say so as well
    }
    var _ = latest.wrote(MaintenanceCampaignObject.read(after.get()));
    String phase = Fields.text(status, "phase");
    if (!phase.equals(Fields.text(stored, "phase"))) {
      LOG.info("campaign {}: {}", campaign.name(), phase);
      record(campaign, CampaignEvent.PhaseChanged, "now " + phase);
    }
  }

  /** Null in a patch is what is not there. */
  private static boolean isSame(ObjectNode status, JsonNode stored) {
    ObjectNode there = status.deepCopy();
    there.properties().removeIf(field -> field.getValue().isNull());
    return there.equals(CampaignWriter::compare, stored);
  }

  /** A number is the same in whatever width it was read. */
  private static int compare(JsonNode one, JsonNode other) {
    boolean numbers = one.isIntegralNumber() && other.isIntegralNumber();
    boolean same = numbers ? one.asLong() == other.asLong() : one.equals(other);
    return same ? 0 : 1;
  }

  void record(MaintenanceCampaignObject campaign, CampaignEvent event, String note) {
    events.record(campaign.regarding(), event.occurrence(), note);
  }
}
