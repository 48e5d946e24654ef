package dev.drydock.maintenance.campaign;

import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.VirtualTime;
import dev.drydock.maintenance.control.MaintenanceFixture;
import dev.drydock.maintenance.control.MaintenanceNodeObject;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Campaigns of one test, on nodes that are sorted into racks. */
final class CampaignFixture implements AutoCloseable {
  private static final String GOOD_JOB =
      "job: {template: {spec: {template: {metadata: {annotations: "
          + "{\"sim.drydock.dev/complete-after\": 100ms}}, spec: "
          + "{containers: [{name: main, image: none}]}}}}}";
  private static final String BAD_JOB =
      "job: {template: {spec: {activeDeadlineSeconds: 1, template: {spec: "
          + "{containers: [{name: main, image: none}]}}}}}";

  final MaintenanceFixture fixture;
  private final KubernetesClient client;
  private final List<String> campaigns = new ArrayList<>();

  CampaignFixture(MaintenanceFixture fixture) {
    this.fixture = fixture;
    client = fixture.client();
  }

  /** An operator. Its campaigns can die apart from its maintenances. */
  record Operator(
      TestProcess process, CampaignController campaigns, MaintenanceFixture.Operator maintenances)
      implements AutoCloseable {
    @Override
    public void close() {
      campaigns.close();
      process.kill();
      maintenances.close();
    }
  }

  Operator operator() {
    return operator(RequestInterceptor.NONE, Optional.empty());
  }

  /**
   * @param hook of the campaigns' calls
   */
  Operator operator(RequestInterceptor hook, Optional<String> stopped) {
    return operator(fixture.process(hook), stopped);
  }

  private Operator operator(TestProcess process, Optional<String> stopped) {
    return operator(process, stopped, fixture.systemNamespace());
  }

  /** An operator that somebody installed in another namespace. */
  Operator operatorIn(String namespace) {
    return operator(fixture.process(RequestInterceptor.NONE), Optional.empty(), namespace);
  }

  private Operator operator(TestProcess process, Optional<String> stopped, String namespace) {
    CampaignController served =
        new CampaignController(
            process.kube(), new CampaignController.Settings(namespace, List.of()), () -> stopped);
    MaintenanceFixture.Operator maintenances =
        fixture.operator(fixture.process(RequestInterceptor.NONE), served);
    served.serve(maintenances.served());
    maintenances.served().start();
    return new Operator(process, served, maintenances);
  }

  /** An operator that the cluster knows by this name. */
  Operator operatorOf(String user) {
    return operator(fixture.process(RequestInterceptor.NONE, user), Optional.empty());
  }

  /** In which a stepped cluster lives. */
  static VirtualTime time(SimulatedCluster cluster) {
    return (VirtualTime) cluster.time();
  }

  /** As somebody does who deletes the operator's namespace, or cleans up in it. */
  void deleteLedger() {
    var _ =
        client
            .configMaps()
            .inNamespace(fixture.systemNamespace())
            .withLabel(DepartureLedger.LABEL)
            .delete();
  }

  void delete(String campaign) {
    var _ = client.resources(MaintenanceCampaign.class).withName(campaign).delete();
  }

  void patch(String campaign, String patch) {
    var _ =
        client
            .resources(MaintenanceCampaign.class)
            .withName(campaign)
            .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  /** How the campaign's maintenance of a node is called. */
  String maintenance(String campaign, String node) {
    MaintenanceCampaign found =
        Objects.requireNonNull(
            client.resources(MaintenanceCampaign.class).withName(campaign).get());
    return MaintenanceCampaignObject.maintenanceName(campaign, found.getMetadata().getUid(), node);
  }

  /** Names of all that are there. */
  List<String> maintenances() {
    return client
        .resources(NotifyMaintenance.class)
        .inNamespace(fixture.namespace)
        .list()
        .getItems()
        .stream()
        .map(each -> each.getMetadata().getName())
        .toList();
  }

  /** The label by which nodes of this test are told from others, and its racks from each other. */
  String rackLabel() {
    return fixture.namespace + "/rack";
  }

  String node(String rack) {
    return inRack(fixture.node(), rack);
  }

  /** With a name as long as that of a node may be. */
  String nodeWithLongName(String rack) {
    return inRack(fixture.nodeWithLongName(), rack);
  }

  private String inRack(String node, String rack) {
    fixture.labelNode(node, rackLabel(), rack);
    return node;
  }

  Set<String> nodes(String rack, int count) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count; i++) {
      names.add(node(rack));
    }
    return names;
  }

  String goodClass() {
    return maintenanceClass("good", GOOD_JOB, "none: {}", "");
  }

  String badClass() {
    return maintenanceClass("bad", GOOD_JOB, BAD_JOB, "");
  }

  String maintenanceClass(String suffix, String work, String proof, String more) {
    String name = fixture.namespace + "-" + suffix;
    fixture.apply(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: %s}
        spec:
          drain: {builtin: {policy: {force: true}}}
          maintenance: {%s}
          validation: {%s}
          %s
        """
            .formatted(name, work, proof, more));
    return name;
  }

  /** All nodes of this test, with a budget of one node per rack. */
  String campaign(String suffix, String maintenanceClass, String more) {
    return campaign(suffix, maintenanceClass, rackLabel() + ", operator: Exists", more);
  }

  /**
   * Some nodes of this test, with a budget of one node per rack.
   *
   * @param which a label's key with an operator and values
   */
  String campaignOf(String suffix, String maintenanceClass, String which) {
    return campaign(suffix, maintenanceClass, which, "");
  }

  private String campaign(String suffix, String maintenanceClass, String which, String more) {
    String name = fixture.namespace + "-" + suffix;
    campaigns.add(name);
    fixture.create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceCampaign
        metadata: {name: %s}
        spec:
          nodeSelector: {matchExpressions: [{key: %s}]}
          maintenanceClass: %s
          namespace: %s
          budgets: [{key: %s, maxUnavailable: 1}]
          %s
        """
            .formatted(name, which, maintenanceClass, fixture.namespace, rackLabel(), more));
    return name;
  }

  MaintenanceCampaignStatus status(String campaign) {
    MaintenanceCampaign found =
        client.resources(MaintenanceCampaign.class).withName(campaign).get();
    return found == null || found.getStatus() == null
        ? new MaintenanceCampaignStatus(null, null, null, null, null, null, null, null, null, null)
        : found.getStatus();
  }

  String phase(String campaign) {
    return String.valueOf(status(campaign).phase());
  }

  void awaitPhase(String campaign, String phase) {
    fixture.eventually().until(() -> phase(campaign), phase::equals);
  }

  List<String> waits(String campaign) {
    return Optional.ofNullable(status(campaign).waitingFor()).orElse(List.of()).stream()
        .map(MaintenanceCampaignStatus.Wait::reason)
        .toList();
  }

  boolean isCordoned(String node) {
    return Boolean.TRUE.equals(fixture.find(node).orElseThrow().getSpec().getUnschedulable());
  }

  /** Sees every change of every node of this test, and so how many were out at once. */
  Witness witness() {
    Witness witness = new Witness(fixture.observer(), rackLabel());
    fixture.eventually().until(witness::isReady);
    return witness;
  }

  static final class Witness implements Watch.Listener<FleetNode>, AutoCloseable {
    private final TestProcess process;
    private final Watch<FleetNode> nodes;
    private final String label;
    private final Map<String, Set<String>> out = new HashMap<>();
    private final Map<String, Integer> most = new HashMap<>();
    private final Set<String> everOut = new HashSet<>();
    private final List<String> departures = new ArrayList<>();

    Witness(TestProcess process, String label) {
      this.process = process;
      this.label = label;
      nodes =
          process
              .kube()
              .watches()
              .of(
                  Watch.Kind.of(
                      Resource.NODES.all().labelSelector(label),
                      object -> MaintenanceNodeObject.read(object).fleet()),
                  this);
      nodes.start();
    }

    boolean isReady() {
      return nodes.state().unsynced().isEmpty();
    }

    @Override
    public synchronized void changed(@Nullable FleetNode before, @Nullable FleetNode after) {
      FleetNode node = Objects.requireNonNull(after == null ? before : after);
      count(node, after != null && after.cordoned());
    }

    @Override
    public synchronized void refreshed() {
      out.clear();
      nodes.state().items().forEach(node -> count(node, node.cordoned()));
    }

    private void count(FleetNode node, boolean isOut) {
      String rack = Objects.requireNonNull(node.labels().get(label));
      Set<String> now = out.computeIfAbsent(rack, _ -> new HashSet<>());
      if (isOut) {
        if (now.add(node.name())) {
          departures.add(node.name());
        }
        everOut.add(node.name());
      } else {
        now.remove(node.name());
      }
      most.merge(rack, now.size(), Math::max);
    }

    synchronized Map<String, Integer> mostAtOnce() {
      return Map.copyOf(most);
    }

    /** How often it left. */
    synchronized long timesOut(String node) {
      return departures.stream().filter(node::equals).count();
    }

    synchronized Set<String> everOut() {
      return Set.copyOf(everOut);
    }

    @Override
    public void close() {
      nodes.close();
      process.kill();
    }
  }

  @Override
  public void close() {
    campaigns.forEach(name -> client.resources(MaintenanceCampaign.class).withName(name).delete());
    fixture.close();
  }
}
