package dev.drydock.slingshot.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CXIDeviceStatus;
import dev.drydock.contracts.cxi.CXIDeviceStatus.HealthStatus;
import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.contracts.cxi.CXIDriver;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Json;
import dev.drydock.kube.Typed;
import dev.drydock.kube.VersionedObject;
import dev.drydock.slingshot.decide.CounterGate;
import dev.drydock.slingshot.decide.CxiNode;
import dev.drydock.slingshot.decide.RolloutOwnership;
import dev.drydock.slingshot.resource.CxiResources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The objects that there are many of: only what a decision needs of each is kept. */
final class NodeParts {
  private static final String GROUP_PREFIX = "cxi.hpe.com/";
  private static final int LONGEST_TEXT = 500;

  private NodeParts() {}

  /** An object's identity, for writes, and what was read from it. */
  record Known<T>(ApiObject object, T facts) implements VersionedObject {
    String name() {
      return object.name();
    }
  }

  private static <T> Known<T> known(ApiObject object, T facts) {
    return new Known<>(
        ApiObject.identified(object.namespace(), object.name(), object.uid(), object.version()),
        facts);
  }

  /**
   * A Node.
   *
   * @param boot the ID of its boot; empty if its kubelet does not say so
   */
  record NodeFacts(
      Map<String, String> labels,
      Map<String, String> annotations,
      boolean ready,
      boolean cordoned,
      String boot,
      Map<String, Long> allocatable,
      Optional<DriverReport> report) {}

  static Known<NodeFacts> node(JsonNode node) {
    ApiObject object = ApiObject.of(node);
    Map<String, String> annotations =
        object.annotations().entrySet().stream()
            .filter(each -> each.getKey().startsWith(GROUP_PREFIX))
            .filter(each -> !each.getKey().equals(CxiNames.DRIVER_REPORT))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    Map<String, Long> allocatable = new HashMap<>();
    object
        .status()
        .path("allocatable")
        .properties()
        .forEach(
            each -> {
              if (each.getKey().indexOf('/') > 0) {
                allocatable.put(each.getKey(), each.getValue().asLong(0));
              }
            });
    return known(
        object,
        new NodeFacts(
            object.labels(),
            annotations,
            object.conditions().isTrue("Ready"),
            object.spec().path("unschedulable").asBoolean(false),
            kept(text(object.status().path("nodeInfo"), "bootID")),
            Map.copyOf(allocatable),
            CxiResources.driverReport(object)));
  }

  /**
   * A CXIDevice.
   *
   * @param crashed how its retry handler ended, if it is in quarantine
   */
  record DeviceFacts(String node, String device, CxiNode.Device state, Optional<String> crashed) {}

  static Known<DeviceFacts> device(JsonNode device) {
    ApiObject object = ApiObject.of(device);
    CXIDeviceStatus status =
        Typed.read(
            object.status().isObject() ? object.status() : Json.object(), CXIDeviceStatus.class);
    CXIDeviceStatus.RetryHandlerState handler = status.retryHandler();
    CXIDeviceStatus.Counters counters = status.counters();
    CXIDeviceStatus.Health health = status.health();
    boolean handled = handler != null && Boolean.TRUE.equals(handler.enabled());
    Long nacks = handler == null || handler.stats() == null ? null : handler.stats().nackRetries();
    return known(
        object,
        new DeviceFacts(
            Objects.requireNonNullElse(
                status.node(), object.labels().getOrDefault(CxiNames.NODE, "")),
            Objects.requireNonNullElse(
                status.device(), object.labels().getOrDefault(CxiNames.DEVICE, "")),
            new CxiNode.Device(
                status.linkState() == LinkState.up,
                handled,
                health == null || health.status() == null ? HealthStatus.Unknown : health.status(),
                health == null || health.message() == null ? "" : kept(health.message()),
                new CounterGate.Counters(
                    counters == null ? 0 : number(counters.linkFlaps()),
                    counters == null ? 0 : number(counters.pcieUncorrectable()),
                    number(nacks))),
            crashed(object)));
  }

  private static Optional<String> crashed(ApiObject device) {
    return device.conditions().isTrue(CxiNames.HANDLER_CRASHED)
        ? device
            .conditions()
            .get(CxiNames.HANDLER_CRASHED)
            .map(condition -> kept(text(condition, "message")))
        : Optional.empty();
  }

  /** Of a text that a driver agent wrote: there may be many, and people read its beginning. */
  private static String kept(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
  }

  private static long number(@Nullable Long value) {
    return value == null ? 0 : value;
  }

  /** The pod of a driver agent. */
  record AgentFacts(String node, String driver, boolean deleted, CxiNode.Agent agent) {}

  static Known<AgentFacts> agent(JsonNode pod) {
    ApiObject object = ApiObject.of(pod);
    return known(
        object,
        new AgentFacts(
            text(object.spec(), "nodeName"),
            object.labels().getOrDefault(CxiNames.INSTANCE, ""),
            object.deleted(),
            new CxiNode.Agent(
                object.uid(),
                object.labels().getOrDefault(CxiNames.REVISION_LABEL, ""),
                object.labels().getOrDefault(CxiNames.TEMPLATE_LABEL, ""),
                object.conditions().isTrue("Ready"))));
  }

  /**
   * A NotifyMaintenance with a class.
   *
   * @param over whether its node has been returned, and only a record of it is left
   */
  record MaintenanceNode(
      String node,
      String maintenanceClass,
      RolloutOwnership.Origin origin,
      boolean over,
      CxiNode.Maintenance maintenance) {}

  static @Nullable Known<MaintenanceNode> maintenance(JsonNode maintenance) {
    ApiObject object = CxiResources.maintenance(maintenance).complete();
    String maintenanceClass = text(object.spec(), "maintenanceClass");
    if (maintenanceClass.isEmpty()) {
      return null;
    }
    MaintenanceState state = MaintenanceState.of(text(object.status(), "maintenanceStatus"));
    String campaign = object.labels().getOrDefault(CampaignNames.CAMPAIGN_UID, "");
    Map<String, String> annotations =
        object.annotations().entrySet().stream()
            .filter(
                each ->
                    each.getKey().startsWith(GROUP_PREFIX)
                        || each.getKey().equals(MaintenanceNames.MAINTENANCE_CLIENT)
                        || each.getKey().equals(MaintenanceNames.VALIDATION_CLIENT))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    return known(
        object,
        new MaintenanceNode(
            text(object.spec(), "nodeObject"),
            maintenanceClass,
            new RolloutOwnership.Origin(object.namespace(), campaign, owners(object)),
            isOver(object, state),
            new CxiNode.Maintenance(
                object.name(), object.uid(), campaign, state, object.deleted(), annotations)));
  }

  private static boolean isOver(ApiObject maintenance, MaintenanceState state) {
    return state.hasBegun()
        && !maintenance.hasFinalizer(MaintenanceNames.FINALIZER)
        && maintenance.conditions().get(MaintenanceNames.COMPLETED_CONDITION).isPresent();
  }

  private static Set<String> owners(ApiObject maintenance) {
    Set<String> uids = new HashSet<>();
    for (JsonNode owner : maintenance.root().path("metadata").path("ownerReferences")) {
      if (text(owner, "kind").equals(CXIDriver.KIND)) {
        uids.add(text(owner, "uid"));
      }
    }
    return Set.copyOf(uids);
  }
}
