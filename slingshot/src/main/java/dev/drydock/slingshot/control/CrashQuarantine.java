package dev.drydock.slingshot.control;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.StepObjects;
import dev.drydock.slingshot.control.NodeParts.DeviceFacts;
import dev.drydock.slingshot.control.NodeParts.Known;
import dev.drydock.slingshot.control.NodeParts.MaintenanceNode;
import dev.drydock.slingshot.control.NodeParts.NodeFacts;
import dev.drydock.slingshot.decide.DriverIdentity;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.decide.QuarantineMaintenance;
import dev.drydock.slingshot.resource.CxiResources;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes nodes out of service on which a retry handler crashed, until they were rebooted. */
final class CrashQuarantine {
  private static final Logger LOG = LoggerFactory.getLogger(CrashQuarantine.class);

  private final CxiCaches caches;
  private final CxiWriter writer;
  private final StepObjects objects;
  private final Supplier<Optional<String>> stopped;

  /**
   * @param objects keeps a node that fails from stopping the others
   */
  CrashQuarantine(
      CxiCaches caches, CxiWriter writer, StepObjects objects, Supplier<Optional<String>> stopped) {
    this.caches = caches;
    this.writer = writer;
    this.objects = objects;
    this.stopped = stopped;
  }

  void reconcile(ApiObject driver, DriverIdentity identity, EffectiveSpec spec) {
    QuarantineMaintenance quarantine = QuarantineMaintenance.of(identity);
    Map<String, Map<String, String>> crashed = new HashMap<>();
    for (Known<DeviceFacts> each : caches.devices.all()) {
      each.facts()
          .crashed()
          .ifPresent(
              reason ->
                  crashed
                      .computeIfAbsent(each.facts().node(), _ -> new TreeMap<>())
                      .put(each.facts().device(), reason));
    }
    Map<String, Known<MaintenanceNode>> maintenances = new HashMap<>();
    for (Known<MaintenanceNode> each : caches.maintenances.all()) {
      MaintenanceNode facts = each.facts();
      if (facts.maintenanceClass().equals(quarantine.name())
          && facts.origin().namespace().equals(identity.namespace())) {
        maintenances.put(each.facts().node(), each);
      }
    }
    for (Known<NodeFacts> node : caches.nodes.all()) {
      @Nullable Known<MaintenanceNode> maintenance = maintenances.get(node.name());
      Map<String, String> devices = crashed.getOrDefault(node.name(), Map.of());
      if (maintenance != null || !devices.isEmpty()) {
        objects.run(
            "quarantine of node " + node.name(),
            () -> step(driver, quarantine, spec, node, devices, maintenance));
      }
    }
  }

  private void step(
      ApiObject driver,
      QuarantineMaintenance quarantine,
      EffectiveSpec spec,
      Known<NodeFacts> node,
      Map<String, String> crashed,
      @Nullable Known<MaintenanceNode> maintenance) {
    QuarantineMaintenance.Step step =
        QuarantineMaintenance.next(
            spec.retryHandler().onCrash(),
            crashed,
            node.facts().ready(),
            node.facts().boot(),
            Optional.ofNullable(maintenance).map(known -> known.facts().maintenance()),
            stopped.get().isPresent());
    if (maintenance != null && !maintenance.facts().over()) {
      // somebody may have deleted it, or another CXIDriver of this name had it
      writer.apply(CxiResources.CLASSES, caches.classes, quarantine.maintenanceClass());
    }
    switch (step) {
      case QuarantineMaintenance.Step.Nothing _ -> {}
      case QuarantineMaintenance.Step.Raise(String reason) -> {
        LOG.warn("node {} has to be rebooted: {}", node.name(), reason);
        writer.apply(CxiResources.CLASSES, caches.classes, quarantine.maintenanceClass());
        writer.createMaintenance(quarantine.maintenance(node.name(), node.facts().boot(), reason));
        writer.event(driver, true, "RetryHandlerCrashed", node.name() + ": reboot it; " + reason);
      }
      case QuarantineMaintenance.Step.Complete _ -> {
        if (maintenance != null) {
          LOG.info("node {} was rebooted and returns", node.name());
          Map<String, @Nullable String> annotation = new HashMap<>();
          annotation.put(MaintenanceNames.MAINTENANCE_CLIENT, MaintenanceNames.COMPLETE);
          writer.maintenance(maintenance, annotation);
        }
      }
    }
  }
}
