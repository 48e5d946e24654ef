package dev.drydock.slingshot.control;

import dev.drydock.contracts.cxi.CXIDriver;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.slingshot.control.NodeParts.AgentFacts;
import dev.drydock.slingshot.control.NodeParts.Known;
import dev.drydock.slingshot.control.NodeParts.MaintenanceNode;
import dev.drydock.slingshot.control.NodeParts.NodeFacts;
import dev.drydock.slingshot.decide.CxiNode;
import dev.drydock.slingshot.decide.DriverIdentity;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.decide.RolloutOwnership;
import dev.drydock.slingshot.decide.RolloutPlan;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the caches say about the roll-outs of one driver.
 *
 * @param maintenances those that are not over, by node; of several the one that has begun
 * @param nodes of the driver, by name
 */
record RolloutSnapshot(
    Map<String, Known<MaintenanceNode>> maintenances, Map<String, CxiNode> nodes) {

  static RolloutSnapshot of(CxiCaches caches, DriverIdentity driver, EffectiveSpec spec) {
    RolloutOwnership ownership =
        new RolloutOwnership(driver.namespace(), driver.uid(), campaignUids(caches, driver));
    Map<String, Known<MaintenanceNode>> maintenances = new HashMap<>();
    Set<String> cutShort = new HashSet<>();
    for (Known<MaintenanceNode> each : caches.maintenances.all()) {
      MaintenanceNode facts = each.facts();
      if (!ownership.includes(facts.origin())) {
        continue;
      }
      if (!facts.over()) {
        maintenances.merge(
            facts.node(),
            each,
            (one, other) -> one.facts().maintenance().state().hasBegun() ? one : other);
      } else if (!facts.maintenance().deleted()) {
        cutShort.add(facts.node());
      }
    }
    return new RolloutSnapshot(
        maintenances, nodes(caches, driver.name(), spec, maintenances, cutShort));
  }

  /** A campaign that somebody deleted has nodes that are out of service for it. */
  private static Set<String> campaignUids(CxiCaches caches, DriverIdentity driver) {
    Set<String> uids = new HashSet<>();
    owned(caches.campaigns, driver).forEach(each -> uids.add(each.uid()));
    owned(caches.classes, driver).forEach(each -> uids.addAll(campaignsOf(each)));
    return uids;
  }

  private static List<ApiObject> owned(CxiCaches.Cache<ApiObject> cache, DriverIdentity driver) {
    return cache.all().stream()
        .filter(each -> each.isOwnedBy(CXIDriver.KIND, driver.uid()))
        .toList();
  }

  private static Set<String> campaignsOf(ApiObject maintenanceClass) {
    String uids = maintenanceClass.annotations().getOrDefault(CxiNames.CAMPAIGNS, "");
    Set<String> all = new TreeSet<>(Arrays.asList(uids.split(",", -1)));
    all.remove("");
    return all;
  }

  /** UIDs of all campaigns that a class was made for. */
  static Set<String> campaignsOf(CxiCaches caches, String maintenanceClass) {
    Set<String> uids = new TreeSet<>();
    find(caches.classes, maintenanceClass).ifPresent(each -> uids.addAll(campaignsOf(each)));
    find(caches.campaigns, maintenanceClass).ifPresent(each -> uids.add(each.uid()));
    return uids;
  }

  static Optional<ApiObject> find(CxiCaches.Cache<ApiObject> cache, String name) {
    return cache.all().stream().filter(each -> each.name().equals(name)).findFirst();
  }

  private static Map<String, CxiNode> nodes(
      CxiCaches caches,
      String driver,
      EffectiveSpec spec,
      Map<String, Known<MaintenanceNode>> maintenances,
      Set<String> cutShort) {
    Map<String, Map<String, CxiNode.Device>> devices = devices(caches);
    Map<String, CxiNode.Agent> agents = agents(caches, driver);
    Map<String, CxiNode> nodes = new TreeMap<>();
    for (Known<NodeFacts> each : caches.nodes.all()) {
      NodeFacts facts = each.facts();
      CxiNode node =
          new CxiNode(
              each.name(),
              facts.labels(),
              facts.annotations(),
              facts.ready(),
              facts.cordoned(),
              facts.allocatable(),
              facts.report(),
              devices.getOrDefault(each.name(), Map.of()),
              Optional.ofNullable(agents.get(each.name())),
              Optional.ofNullable(maintenances.get(each.name()))
                  .map(known -> known.facts().maintenance()),
              cutShort.contains(each.name()));
      // one that leaves finishes, whatever the selector says now
      if (node.matches(spec.nodeSelector()) || node.maintenance().isPresent()) {
        nodes.put(each.name(), node);
      }
    }
    return nodes;
  }

  private static Map<String, Map<String, CxiNode.Device>> devices(CxiCaches caches) {
    Map<String, Map<String, CxiNode.Device>> devices = new HashMap<>();
    for (Known<NodeParts.DeviceFacts> each : caches.devices.all()) {
      devices
          .computeIfAbsent(each.facts().node(), _ -> new TreeMap<>())
          .put(each.facts().device(), each.facts().state());
    }
    return devices;
  }

  private static Map<String, CxiNode.Agent> agents(CxiCaches caches, String driver) {
    Map<String, CxiNode.Agent> agents = new HashMap<>();
    for (Known<AgentFacts> each : caches.agents.all()) {
      if (!each.facts().deleted() && each.facts().driver().equals(driver)) {
        agents.put(each.facts().node(), each.facts().agent());
      }
    }
    return agents;
  }

  /** The driver's campaigns, of all revisions. */
  static List<RolloutPlan.Campaign> campaigns(CxiCaches caches, DriverIdentity driver) {
    return owned(caches.campaigns, driver).stream()
        .filter(each -> !each.deleted())
        .map(RolloutSnapshot::campaign)
        .toList();
  }

  /** The newest class for a revision. */
  static Optional<String> classOf(CxiCaches caches, DriverIdentity driver, String revision) {
    return owned(caches.classes, driver).stream()
        .filter(each -> !each.deleted())
        .filter(each -> revision.equals(each.labels().get(CxiNames.REVISION_LABEL)))
        .max(Comparator.comparingLong(RolloutSnapshot::generation))
        .map(ApiObject::name);
  }

  private static RolloutPlan.Campaign campaign(ApiObject campaign) {
    String phase = Fields.text(campaign.status(), "phase");
    return new RolloutPlan.Campaign(
        campaign.name(),
        generation(campaign),
        campaign.labels().getOrDefault(CxiNames.REVISION_LABEL, ""),
        Arrays.stream(CampaignPhase.values()).filter(each -> each.name().equals(phase)).findFirst(),
        campaign.spec().path("stopped").asBoolean(false),
        campaign.annotations().getOrDefault(CxiNames.OUTCOME, ""),
        Fields.text(campaign.spec(), "stopReason"),
        hasNodesOut(campaign));
  }

  /** Also while its controller has not answered to its spec: a node may be leaving just now. */
  private static boolean hasNodesOut(ApiObject campaign) {
    boolean answered =
        campaign
            .conditions()
            .get("Complete")
            .filter(each -> each.path("observedGeneration").asLong() >= campaign.generation())
            .isPresent();
    return !answered || campaign.status().path("counts").path("inFlight").asInt() > 0;
  }

  /** The generation of the CXIDriver that an object was made for; 0 if it does not say so. */
  static long generation(ApiObject made) {
    String text = made.annotations().getOrDefault(CxiNames.GENERATION, "");
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }
}
