package dev.drydock.maintenance.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.ResourceVersion;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what campaigns do: their maintenances, their status, Events about them. */
final class CampaignWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CampaignWriter.class);

  private static final String MAINTENANCES =
      "/apis/" + NotifyMaintenance.GROUP + "/" + NotifyMaintenance.VERSION + "/namespaces/";

  /** What the API takes for a name. */
  private static final int LONGEST_NAME = 253;

  private final KubeHttp http;
  private final EventRecorder events;

  /** By campaign, so that what is written and not seen yet is not written again. */
  private final Map<String, Written> written = new HashMap<>();

  /** By campaign and node, so that a refusal is told once. */
  private final Map<String, String> refusals = new HashMap<>();

  /** A status, and the campaign's version since. */
  private record Written(JsonNode status, String version) {}

  CampaignWriter(KubeHttp http, Clock clock) {
    this.http = http;
    events = new EventRecorder(http, clock);
  }

  private static String path(String namespace) {
    return MAINTENANCES + namespace + "/" + NotifyMaintenance.PLURAL;
  }

  /** The same for the same campaign and node, so that it cannot be made twice. */
  static String name(MaintenanceCampaignObject campaign, String node) {
    String name = campaign.name() + "-" + node;
    return name.length() <= LONGEST_NAME
        ? name
        : name.substring(0, LONGEST_NAME - 9) + "-" + String.format("%08x", name.hashCode());
  }

  /** Whether the maintenance is there now. */
  boolean create(MaintenanceCampaignObject campaign, String node) {
    ObjectNode maintenance = Json.object();
    maintenance
        .put("apiVersion", NotifyMaintenance.GROUP + "/" + NotifyMaintenance.VERSION)
        .put("kind", NotifyMaintenance.KIND);
    ObjectNode metadata = maintenance.putObject("metadata");
    metadata.put("name", name(campaign, node)).put("namespace", campaign.namespace());
    metadata.putObject("labels").put(CampaignNames.CAMPAIGN_LABEL, campaign.name());
    metadata.putArray("finalizers").add(CampaignNames.FINALIZER);
    maintenance
        .putObject("spec")
        .put("nodeObject", node)
        .put("maintenanceID", campaign.maintenanceID())
        .put("maintenanceType", "planned")
        .put("owner", "campaign " + campaign.name())
        .put("maintenanceClass", campaign.spec().maintenanceClass());
    KubeAnswer answer =
        http.send(ApiCall.create(path(campaign.namespace()), maintenance.toString()));
    String key = campaign.name() + " " + node;
    if (answer.ok() || answer.code() == HttpURLConnection.HTTP_CONFLICT) {
      refusals.remove(key);
      return true;
    }
    String why = "the NotifyMaintenance of node %s: %s".formatted(node, answer.message());
    if (!why.equals(refusals.put(key, why))) {
      LOG.warn("campaign {}: {}", campaign.name(), why);
      tell(campaign, CampaignEvent.MaintenanceRefused, why);
    }
    return false;
  }

  /** Why the maintenance of a node could not be created, if so. */
  String refusal(String campaign, String node) {
    return refusals.getOrDefault(campaign + " " + node, "");
  }

  /** Lets a maintenance that has ended vanish, if it is deleted. */
  void release(NotifyMaintenanceObject seen) {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", seen.uid()).put("resourceVersion", seen.version());
    ArrayNode left = metadata.putArray("finalizers");
    seen.finalizers().stream()
        .filter(other -> !other.equals(CampaignNames.FINALIZER))
        .forEach(left::add);
    KubeAnswer answer = http.send(ApiCall.mergePatch(seen.path(), patch.toString()));
    boolean later =
        answer.code() == HttpURLConnection.HTTP_CONFLICT
            || answer.code() == HttpURLConnection.HTTP_NOT_FOUND;
    if (!later) {
      var _ = answer.orThrow("NotifyMaintenance " + seen);
    }
  }

  /** As it is now, past all caches. */
  boolean isGoneOrEnded(String maintenance) {
    int slash = maintenance.indexOf('/');
    String path = path(maintenance.substring(0, slash)) + "/" + maintenance.substring(slash + 1);
    KubeAnswer answer = http.send(ApiCall.get(path));
    return answer.code() == HttpURLConnection.HTTP_NOT_FOUND
        || NodeProgressReader.isEnded(
            NotifyMaintenanceObject.read(answer.orThrow("NotifyMaintenance " + maintenance))
                .facts());
  }

  /** Only if it says something new. */
  void write(MaintenanceCampaignObject campaign, ObjectNode status) {
    JsonNode stored = stored(campaign);
    if (isSame(status, stored)) {
      return;
    }
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", campaign.uid());
    patch.set("status", status);
    KubeAnswer answer =
        http.send(ApiCall.mergePatch(campaign.path() + "/status", patch.toString()));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      written.remove(campaign.name());
      return; // the watch will say so as well
    }
    MaintenanceCampaignObject after =
        MaintenanceCampaignObject.read(answer.orThrow("MaintenanceCampaign " + campaign.name()));
    written.put(campaign.name(), new Written(after.status(), after.version()));
    String phase = Fields.text(status, "phase");
    if (!phase.equals(Fields.text(stored, "phase"))) {
      LOG.info("campaign {}: {}", campaign.name(), phase);
      tell(campaign, CampaignEvent.PhaseChanged, "now " + phase);
    }
  }

  /** The newest we know: the cache lags behind our own writes. */
  private JsonNode stored(MaintenanceCampaignObject campaign) {
    Written ours = written.get(campaign.name());
    return ours != null && ResourceVersion.isNewer(ours.version(), campaign.version())
        ? ours.status()
        : campaign.status();
  }

  /** Null in a patch is what is not there. */
  private static boolean isSame(ObjectNode status, JsonNode stored) {
    ObjectNode there = status.deepCopy();
    there.properties().removeIf(field -> field.getValue().isNull());
    return there.equals(stored);
  }

  void tell(MaintenanceCampaignObject campaign, CampaignEvent event, String note) {
    events.tell(campaign.regarding(), event.occurrence(), note);
  }
}
