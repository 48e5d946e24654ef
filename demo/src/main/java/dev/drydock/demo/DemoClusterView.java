package dev.drydock.demo;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.Kube;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of the cluster, read from the API each time; notifies {@link ChangeCounter} of every
 * change.
 */
final class DemoClusterView implements AutoCloseable {
  static final String POOL = "pool";
  static final String ZONE = "topology.kubernetes.io/zone";
  static final String GPU = "nvidia.com/gpu";
  static final String IN_SERVICE = "in";

  private final Path kubeconfig;
  private final ChangeCounter changes;
  private final KubernetesClient client;
  private final Kube kube;
  private final DrainEngine engine;
  private final Set<String> brokenBudgets = new ConcurrentSkipListSet<>();

  DemoClusterView(Path kubeconfig, ChangeCounter changes) {
    this.kubeconfig = kubeconfig;
    this.changes = changes;
    this.client = connect();
    this.kube = Kube.of(client);
    this.engine = new DrainEngine(kube);
    List.of(
            Node.class,
            Pod.class,
            Deployment.class,
            StatefulSet.class,
            CustomResourceDefinition.class)
        .forEach(kind -> watch(kind, _ -> {}));
  }

  /** Its own connection, as another process would have. */
  KubernetesClient connect() {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    return new KubernetesClientBuilder()
        .withConfig(new ConfigBuilder(config).withOnlyHttpWatches(true).build())
        .build();
  }

  ChangeCounter changes() {
    return changes;
  }

  /** Whether DrainRequests can be listed: a CRD takes a moment to be established. */
  String knowsRequests() {
    try {
      var _ = client.resources(DrainRequest.class).inAnyNamespace().list();
      return "known";
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return "not known";
      }
      throw e;
    }
  }

  KubernetesClient client() {
    return client;
  }

  private <T extends HasMetadata> void watch(Class<T> kind, Consumer<T> reader) {
    var _ = client.resources(kind).inAnyNamespace().inform(new Reader<>(reader));
  }

  /**
   * Starts recording; earlier, pods that are not ready for the first time would count as
   * violations.
   */
  void watchBudgets() {
    watch(PodDisruptionBudget.class, this::judge);
  }

  void watchRequests() {
    watch(DrainRequest.class, _ -> {});
  }

  /** Starts recording. */
  Departures watchCampaigns() {
    Departures departures = new Departures();
    watch(Node.class, departures::see);
    watch(MaintenanceCampaign.class, _ -> {});
    return departures;
  }

  /** Starts recording the drain of a node through a scheduler. */
  DrainFlow watchDrain(String node) {
    DrainFlow flow = new DrainFlow(node);
    watch(Node.class, flow::see);
    watch(Pod.class, flow::see);
    watch(DrainRequest.class, flow::see);
    return flow;
  }

  private void judge(PodDisruptionBudget budget) {
    if (budget.getStatus() != null
        && budget.getStatus().getCurrentHealthy() < budget.getStatus().getDesiredHealthy()) {
      brokenBudgets.add(name(budget));
    }
  }

  /** The budgets that at any time had fewer healthy pods than required. */
  Set<String> brokenBudgets() {
    return brokenBudgets;
  }

  List<Node> nodes() {
    return client.nodes().list().getItems();
  }

  long nodesReady() {
    return nodes().stream()
        .filter(node -> node.getSpec().getTaints().isEmpty())
        .filter(Readiness::isNodeReady)
        .count();
  }

  /** In or out of service, as in the table. */
  String service(String node) {
    return service(client.nodes().withName(node).require());
  }

  static String service(Node node) {
    if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
      return "out";
    }
    return Readiness.isNodeReady(node) ? IN_SERVICE : "not ready";
  }

  /** What is done about a failure of the node; empty if nothing is. */
  String state(String node) {
    return state(client.nodes().withName(node).require());
  }

  static String state(Node node) {
    return node.getMetadata().getLabels().getOrDefault("dgxc.nvidia.com/nvsentinel-state", "");
  }

  int requests(String namespace) {
    return client.resources(DrainRequest.class).inNamespace(namespace).list().getItems().size();
  }

  /** The holders of the node, sorted, separated by commas. */
  String holders(String node) {
    return engine.holds().read(node).byHolder().keySet().stream()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** For nodes that are cordoned or held. */
  Map<String, Holds> holds() {
    return engine.holds().readAll().byNode();
  }

  List<Pod> pods() {
    return client.pods().inAnyNamespace().list().getItems();
  }

  /** The names of an application's pods on a node that are not terminating. */
  Set<String> podsOn(String node, String app) {
    return on(node, app)
        .filter(DemoClusterView::stays)
        .map(DemoClusterView::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The UIDs of an application's pods on a node. */
  Set<String> uidsOn(String node, String app) {
    return on(node, app)
        .map(pod -> pod.getMetadata().getUid())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Stream<Pod> on(String node, String app) {
    return pods().stream()
        .filter(pod -> node.equals(pod.getSpec().getNodeName()) && app.equals(app(pod)));
  }

  private static boolean stays(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() == null;
  }

  /** The applications with pods on the node, sorted, separated by commas. */
  String appsOn(String node) {
    return pods().stream()
        .filter(pod -> node.equals(pod.getSpec().getNodeName()))
        .map(DemoClusterView::app)
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  long ready(String app) {
    return pods().stream()
        .filter(pod -> app.equals(app(pod)) && stays(pod))
        .filter(Readiness::isPodReady)
        .count();
  }

  int disruptionsAllowed(String namespace, String budget) {
    PodDisruptionBudget found =
        client
            .policy()
            .v1()
            .podDisruptionBudget()
            .inNamespace(namespace)
            .withName(budget)
            .require();
    return found.getStatus() == null || found.getStatus().getDisruptionsAllowed() == null
        ? -1
        : found.getStatus().getDisruptionsAllowed();
  }

  /** The desired replicas of a Deployment. */
  int replicas(String namespace, String deployment) {
    return client
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withName(deployment)
        .require()
        .getSpec()
        .getReplicas();
  }

  /** The drained and remaining pods in the request's status. */
  String requestCounts(String namespace, String name) {
    @Nullable DrainRequestStatus status =
        client
            .resources(DrainRequest.class)
            .inNamespace(namespace)
            .withName(name)
            .require()
            .getStatus();
    return status == null
        ? "no status"
        : "%s gone, %s left".formatted(status.podsGone(), status.podsLeft());
  }

  /** The reason of the request's condition, or why there is none. */
  String requestReason(String namespace, String name) {
    @Nullable DrainRequest request =
        client.resources(DrainRequest.class).inNamespace(namespace).withName(name).get();
    return request == null ? "no request" : reason(request);
  }

  static String reason(DrainRequest request) {
    if (request.getStatus() == null || request.getStatus().conditions() == null) {
      return "no condition";
    }
    return request.getStatus().conditions().stream()
        .filter(each -> each.type().equals(DrainRequest.COMPLETE_CONDITION))
        .map(each -> String.valueOf(each.reason()))
        .findFirst()
        .orElse("no condition");
  }

  /** The campaign's progress from its status. */
  Optional<MaintenanceCampaignStatus> campaign(String name) {
    return Optional.ofNullable(
        client.resources(MaintenanceCampaign.class).withName(name).require().getStatus());
  }

  static String app(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return labels == null ? "" : labels.getOrDefault("app", "");
  }

  static String name(HasMetadata object) {
    return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
  }

  @Override
  public void close() {
    engine.close();
    kube.close();
    client.informers().stopAllRegisteredInformers();
    client.close();
  }

  private final class Reader<T> implements ResourceEventHandler<T> {
    private final Consumer<T> reader;

    Reader(Consumer<T> reader) {
      this.reader = reader;
    }

    @Override
    public void onAdd(T object) {
      reader.accept(object);
      changes.changed();
    }

    @Override
    public void onUpdate(T before, T object) {
      reader.accept(object);
      changes.changed();
    }

    @Override
    public void onDelete(T object, boolean stateUnknown) {
      changes.changed();
    }
  }
}
