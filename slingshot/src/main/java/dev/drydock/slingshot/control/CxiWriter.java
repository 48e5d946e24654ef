package dev.drydock.slingshot.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Delete;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Typed;
import dev.drydock.slingshot.control.NodeParts.Known;
import dev.drydock.slingshot.control.NodeParts.MaintenanceNode;
import dev.drydock.slingshot.control.NodeParts.NodeFacts;
import dev.drydock.slingshot.decide.DriverStatusDecision;
import dev.drydock.slingshot.decide.Tree;
import dev.drydock.slingshot.resource.CxiResources;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Every write of the controller. Only what differs is written, and never a user's spec. */
final class CxiWriter {
  private static final int LONGEST_REASON = 1000;

  private final KubeHttp http;
  private final EventRecorder events;
  private final CxiCaches caches;

  CxiWriter(Kube kube, CxiCaches caches) {
    http = kube.http();
    events = kube.events();
    this.caches = caches;
  }

  /** Applies an object unless it was written before with the same content. */
  void apply(Resource resource, CxiCaches.Cache<ApiObject> cache, Map<String, Object> wanted) {
    ObjectNode object = (ObjectNode) Typed.tree(wanted);
    JsonNode metadata = object.path("metadata");
    String hash = metadata.path("annotations").path(CxiNames.HASH).asText("");
    boolean same =
        cache.all().stream()
            .filter(each -> each.name().equals(metadata.path("name").asText()))
            .anyMatch(
                each ->
                    !each.deleted()
                        && Objects.equals(
                            each.annotations().getOrDefault(CxiNames.HASH, ""), hash));
    if (!same) {
      var _ = cache.wrote(ApiObject.of(http.apply(resource, object)));
    }
  }

  void delete(Resource resource, CxiCaches.Cache<ApiObject> cache, ApiObject object) {
    if (!object.deleted()) {
      Delete.sameUid(resource, object).send(http);
    }
    cache.gone(object);
  }

  void delete(Resource resource, Known<?> object) {
    Delete.sameUid(resource, object.object()).send(http);
  }

  /** Guarded by the version that was read: another process may have chosen meanwhile. */
  void recordActive(String namespace, Optional<ApiObject> map, String name) {
    if (map.isPresent()) {
      var _ =
          caches.singleton.wrote(
              ApiObject.of(
                  Patch.ifUnchanged(Resource.CONFIG_MAPS, map.get())
                      .fields(
                          root ->
                              root.putObject("data")
                                  .put(CxiNames.ACTIVE_KEY, name.isEmpty() ? null : name))
                      .send(http)));
      return;
    }
    ObjectNode object = Resource.CONFIG_MAPS.manifest(namespace, CxiNames.SINGLETON);
    object.withObject("/metadata/labels").put(CxiNames.MANAGED_BY, CxiNames.OPERATOR);
    object.putObject("data").put(CxiNames.ACTIVE_KEY, name);
    var _ =
        caches.singleton.wrote(
            ApiObject.of(
                http.send(
                        ApiCall.create(
                            Resource.CONFIG_MAPS.collection(namespace), object.toString()))
                    .orThrow("ConfigMap " + CxiNames.SINGLETON)));
  }

  ApiObject addFinalizer(ApiObject driver) {
    return caches.drivers.wrote(
        ApiObject.of(
            Patch.ifUnchanged(CxiResources.DRIVERS, driver)
                .addFinalizer(CxiNames.FINALIZER)
                .send(http)));
  }

  void removeFinalizer(ApiObject driver) {
    Patch.ifUnchanged(CxiResources.DRIVERS, driver)
        .removeFinalizer(CxiNames.FINALIZER)
        .sendIfExists(http)
        .map(ApiObject::of)
        .ifPresent(caches.drivers::wrote);
  }

  /** Labels and annotations of a node in one write; null removes one. */
  void node(
      Known<NodeFacts> node,
      Map<String, @Nullable String> labels,
      Map<String, @Nullable String> annotations) {
    if (labels.isEmpty() && annotations.isEmpty()) {
      return;
    }
    Patch patch = Patch.sameUid(Resource.NODES, node.object());
    labels.forEach(patch::label);
    annotations.forEach(patch::annotation);
    patch
        .sendIfExists(http)
        .ifPresentOrElse(
            after -> caches.nodes.wrote(NodeParts.node(after)), () -> caches.nodes.gone(node));
  }

  /** If the maintenance is gone, its node has been returned by somebody else. */
  void maintenance(Known<MaintenanceNode> maintenance, Map<String, @Nullable String> annotations) {
    Patch patch = Patch.sameUid(CxiResources.MAINTENANCES, maintenance.object());
    annotations.forEach(patch::annotation);
    patch
        .sendIfExists(http)
        .map(NodeParts::maintenance)
        .ifPresentOrElse(caches.maintenances::wrote, () -> caches.maintenances.gone(maintenance));
  }

  void createMaintenance(Map<String, Object> wanted) {
    JsonNode made =
        http.createOrFind(CxiResources.MAINTENANCES, (ObjectNode) Typed.tree(wanted)).object();
    Known<MaintenanceNode> read = NodeParts.maintenance(made);
    if (read != null) {
      var _ = caches.maintenances.wrote(read);
    }
  }

  /** Ends a campaign for good; what has begun goes on. */
  void stop(ApiObject campaign, String outcome, String reason) {
    Patch.sameUid(CxiResources.CAMPAIGNS, campaign)
        .annotation(CxiNames.OUTCOME, outcome)
        .spec(
            spec ->
                spec.put("stopped", true).put("stopReason", ShortText.of(reason, LONGEST_REASON)))
        .sendIfExists(http)
        .map(ApiObject::of)
        .ifPresentOrElse(caches.campaigns::wrote, () -> caches.campaigns.gone(campaign));
  }

  /** Conditions of others stay; nothing is written if nothing differs. */
  void status(ApiObject driver, DriverStatusDecision decision, Instant now) {
    Conditions present = driver.conditions();
    ArrayNode conditions = Json.array();
    for (JsonNode each : present.all()) {
      String type = each.path("type").asText("");
      boolean ours = decision.conditions().stream().anyMatch(said -> said.type().equals(type));
      if (!ours && !decision.absent().contains(type)) {
        conditions.add(each);
      }
    }
    for (DriverStatusDecision.Said said : decision.conditions()) {
      conditions.add(
          present.entry(
              Conditions.Condition.of(said.type(), said.value(), said.reason(), said.message()),
              now));
    }
    ObjectNode wanted = (ObjectNode) Typed.tree(decision.status());
    wanted.set("conditions", conditions);
    if (sameStatus(driver.status(), wanted)) {
      return;
    }
    Patch.sameUid(CxiResources.DRIVERS, driver)
        .replaceStatus(driver.status(), wanted)
        .sendIfExists(http)
        .map(ApiObject::of)
        .ifPresent(caches.drivers::wrote);
  }

  /** One condition of the driver, with the rest of its status as it is. */
  void condition(ApiObject driver, Conditions.Condition condition, Instant now) {
    if (driver.conditions().says(condition)) {
      return;
    }
    Patch.sameUid(CxiResources.DRIVERS, driver)
        .status(status -> status.set("conditions", driver.conditions().with(condition, now)))
        .sendIfExists(http)
        .map(ApiObject::of)
        .ifPresent(caches.drivers::wrote);
  }

  /** Numbers of different types count as equal; conditions in any order. */
  private static boolean sameStatus(JsonNode present, ObjectNode wanted) {
    return normal(present).equals(normal(wanted));
  }

  private static String normal(JsonNode status) {
    return Tree.hash(Typed.read(copy(status), Map.class));
  }

  private static ObjectNode copy(JsonNode status) {
    ObjectNode copy = status.isObject() ? ((ObjectNode) status).deepCopy() : Json.object();
    ObjectNode byType = Json.object();
    copy.path("conditions").forEach(each -> byType.set(each.path("type").asText(""), each));
    copy.set("conditions", byType);
    return copy;
  }

  void event(ApiObject driver, boolean warning, String reason, String note) {
    events.record(
        driver.regarding(CxiResources.DRIVERS),
        new EventRecorder.Occurrence(warning, reason, "Rollout"),
        note);
  }
}
