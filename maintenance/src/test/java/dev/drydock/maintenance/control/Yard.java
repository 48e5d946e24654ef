package dev.drydock.maintenance.control;

import dev.drydock.contracts.Crds;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.drain.kube.Drains;
import dev.drydock.kube.CallHook;
import dev.drydock.maintenance.decide.MaintenanceScene;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.TestCluster;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** Nodes and maintenances of one test, moved as a user's own operators would, by kubectl. */
final class Yard implements AutoCloseable {
  static final Duration SLA = Duration.ofHours(5);

  final String namespace;
  final List<String> notices = new CopyOnWriteArrayList<>();
  private final TestCluster cluster;
  private final List<String> nodes = new ArrayList<>();
  private final List<KubernetesClient> clients = new ArrayList<>();
  private final List<Drains> engines = new ArrayList<>();

  Yard(TestCluster cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
    kubectlWithInput(Crds.yaml(), "apply", "--server-side", "-f", "-");
    eventually().ignoreExceptions().until(() -> all().list() != null);
  }

  static ConditionFactory eventually() {
    // A process that dies in a test throws on its own threads.
    return Awaitility.await()
        .dontCatchUncaughtExceptions()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(30));
  }

  private io.fabric8.kubernetes.client.dsl.NonNamespaceOperation<
          NotifyMaintenance,
          io.fabric8.kubernetes.api.model.KubernetesResourceList<NotifyMaintenance>,
          Resource<NotifyMaintenance>>
      all() {
    return cluster.client().resources(NotifyMaintenance.class).inNamespace(namespace);
  }

  Maintenances operator() {
    return operator(CallHook.NONE, Clock.systemUTC());
  }

  /** With a client of its own, as in another process. */
  Maintenances operator(CallHook hook, Clock clock) {
    KubernetesClient own = new KubernetesClientBuilder().withConfig(cluster.config()).build();
    clients.add(own);
    Notices kept =
        (maintenance, event, cancelled) -> {
          String notice =
              maintenance.facts().identity().name()
                  + " "
                  + event.word()
                  + (cancelled ? " cancelled" : "");
          // Told again after a conflict; what keeps notices tells them apart.
          if (!notices.contains(notice)) {
            notices.add(notice);
          }
        };
    Maintenances operator =
        new Maintenances(
            own,
            new Maintenances.Settings(new MaintenanceScene.Rules(SLA, false), Duration.ofHours(10)),
            new Maintenances.Surroundings(
                clock, hook, engine(own).holds(), Gate.OPEN, kept, Maintenances.Watcher.NONE));
    operator.start();
    return operator;
  }

  private Drains engine(KubernetesClient client) {
    Drains engine = new Drains(client);
    engine.serveRequests();
    engine.keepHolds();
    engines.add(engine);
    return engine;
  }

  String node() {
    String name = cluster.addNode(namespace + "-" + (nodes.size() + 1));
    nodes.add(name);
    return name;
  }

  Optional<Node> find(String node) {
    return Optional.ofNullable(cluster.client().nodes().withName(node).get());
  }

  void create(String name, String node, String id) {
    createWith(name, node, id, "");
  }

  void create(String name, String node, String id, String clazz) {
    createWith(name, node, id, ", maintenanceClass: " + clazz);
  }

  private void createWith(String name, String node, String id, String more) {
    kubectlWithInput(
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: %s, namespace: %s}
        spec: {nodeObject: %s, maintenanceID: %s, maintenanceType: planned%s}
        """
            .formatted(name, namespace, node, id, more),
        "create",
        "-f",
        "-");
  }

  Optional<NotifyMaintenance> maintenance(String name) {
    return Optional.ofNullable(all().withName(name).get());
  }

  String state(String name) {
    return maintenance(name)
        .map(NotifyMaintenance::getStatus)
        .map(status -> orEmpty(status.maintenanceStatus()))
        .orElse("");
  }

  String waitingFor(String name) {
    return maintenance(name)
        .map(NotifyMaintenance::getStatus)
        .map(status -> orEmpty(status.waitingFor()))
        .orElse("");
  }

  /** A running pod without a controller. */
  void pod(String name, String node) {
    cluster
        .client()
        .pods()
        .inNamespace(namespace)
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build())
        .create();
    eventually()
        .until(
            () ->
                pods(node).stream().anyMatch(pod -> pod.getStatus().getPhase().equals("Running")));
  }

  /** Those that no Job made. */
  List<Pod> pods(String node) {
    return cluster
        .client()
        .pods()
        .inNamespace(namespace)
        .withField("spec.nodeName", node)
        .list()
        .getItems()
        .stream()
        .filter(pod -> pod.getMetadata().getOwnerReferences().isEmpty())
        .toList();
  }

  Map<String, String> conditions(String name) {
    Map<String, String> conditions = new java.util.TreeMap<>();
    maintenance(name)
        .map(NotifyMaintenance::getStatus)
        .map(status -> status.conditions())
        .orElse(List.of())
        .forEach(each -> conditions.put(orEmpty(each.type()), orEmpty(each.status())));
    return conditions;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  void awaitState(String name, String state) {
    eventually().until(() -> state(name), state::equals);
  }

  void awaitGone(String name) {
    eventually().until(() -> maintenance(name).isEmpty());
  }

  void awaitOver(String name) {
    eventually()
        .until(() -> maintenance(name).orElseThrow().getMetadata().getFinalizers(), List::isEmpty);
  }

  void label(String node, String id) {
    kubectl("label", "node", node, "maintenance/" + id + "=");
  }

  void annotate(String name, String client, String value) {
    kubectl(
        "annotate",
        "--overwrite",
        "notifymaintenance",
        name,
        "-n",
        namespace,
        "maintenance/" + client + "=" + value);
  }

  void delete(String name) {
    kubectl(
        "delete", "notifymaintenance", name, "-n", namespace, "--wait=false", "--ignore-not-found");
  }

  String kubectl(String... arguments) {
    return kubectlWithInput("", arguments);
  }

  String kubectlWithInput(String input, String... arguments) {
    return cluster.kubectl(input, arguments).output();
  }

  /** Whatever it answers. */
  CommandResult tryKubectl(String input, String... arguments) {
    return cluster.kubectl(input, arguments);
  }

  List<String> events(String name) {
    return cluster.client().events().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getRegarding() != null)
        .filter(event -> name.equals(event.getRegarding().getName()))
        .map(Event::getReason)
        .toList();
  }

  /** The node's conditions about maintenance that are true. */
  List<String> trueConditions(String node) {
    return find(node).orElseThrow().getStatus().getConditions().stream()
        .filter(condition -> condition.getStatus().equals("True"))
        .map(condition -> condition.getType())
        .filter(type -> type.startsWith("Maintenance") || type.startsWith("Drain"))
        .sorted()
        .toList();
  }

  List<String> maintenanceLabels(String node) {
    return find(node).orElseThrow().getMetadata().getLabels().keySet().stream()
        .filter(label -> label.startsWith("maintenance/") || label.startsWith("cordoned"))
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    all()
        .list()
        .getItems()
        .forEach(
            left ->
                all()
                    .withName(left.getMetadata().getName())
                    .edit(
                        maintenance -> {
                          maintenance.getMetadata().setFinalizers(List.of());
                          return maintenance;
                        }));
    nodes.forEach(node -> cluster.client().nodes().withName(node).delete());
    engines.forEach(Drains::close);
    clients.forEach(KubernetesClient::close);
    cluster.close();
  }
}
