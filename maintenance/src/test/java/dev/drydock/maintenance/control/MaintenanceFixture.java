package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.nio.file.Path;
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
public final class MaintenanceFixture implements AutoCloseable {
  public static final Duration SLA = Duration.ofHours(5);

  public final String namespace;
  public final List<String> notices = new CopyOnWriteArrayList<>();
  private static final String SYSTEM = "drydock-system";

  private final List<String> forbidden = new CopyOnWriteArrayList<>();
  private final TestCluster cluster;
  private final Config rights;
  private final String systemNamespace;
  private final List<String> nodes = new ArrayList<>();
  private final List<KubernetesClient> clients = new ArrayList<>();
  private @Nullable DrainEngine engine;

  public MaintenanceFixture(TestCluster cluster, String namespace) {
    this(cluster, namespace, false);
  }

  private MaintenanceFixture(TestCluster cluster, String namespace, boolean asTheManifest) {
    this.cluster = cluster;
    this.namespace = namespace;
    systemNamespace = asTheManifest ? SYSTEM : namespace;
    rights = asTheManifest ? rightsOfTheManifest(cluster) : cluster.config();
    kubectlWithInput(CrdCatalog.yaml(), "apply", "--server-side", "-f", "-");
    eventually().ignoreExceptions().until(() -> all().list() != null);
  }

  /** Operators have exactly the rights of the ServiceAccount in the manifests. */
  public static MaintenanceFixture asTheManifest(TestCluster cluster, String namespace) {
    return new MaintenanceFixture(cluster, namespace, true);
  }

  private static Config rightsOfTheManifest(TestCluster cluster) {
    for (String file : List.of("namespace.yaml", "rbac.yaml")) {
      String path = Path.of("..", "deploy", file).toString();
      var _ = cluster.kubectl("", "apply", "--server-side", "-f", path).output();
    }
    String token =
        cluster.kubectl("", "create", "token", "drydock-operator", "-n", SYSTEM).output().strip();
    return new ConfigBuilder(cluster.config())
        .withClientCertData(null)
        .withClientCertFile(null)
        .withClientKeyData(null)
        .withClientKeyFile(null)
        .withOauthToken(token)
        .build();
  }

  /** Where an operator keeps what is its own. */
  public String systemNamespace() {
    return systemNamespace;
  }

  /** Also notes what the server forbids, which no operator may try. */
  public RequestInterceptor noting(RequestInterceptor hook) {
    return new RequestInterceptor() {
      @Override
      public void before(ApiCall call) {
        hook.before(call);
      }

      @Override
      public void after(ApiCall call, int code) {
        if (code == HttpURLConnection.HTTP_FORBIDDEN) {
          forbidden.add(call.verb() + " " + call.path());
        }
        hook.after(call, code);
      }
    };
  }

  public static ConditionFactory eventually() {
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

  public MaintenanceController operator() {
    return operator(RequestInterceptor.NONE, Clock.systemUTC());
  }

  /** With a client of its own, as in another process. */
  public MaintenanceController operator(RequestInterceptor hook, Clock clock) {
    MaintenanceController operator =
        operator(operatorClient(), hook, clock, DeparturePermission.OPEN);
    operator.start();
    return operator;
  }

  public KubernetesClient client() {
    return client(cluster.config());
  }

  /** A connection of its own, as another process has, with the rights of an operator. */
  public KubernetesClient operatorClient() {
    return client(rights);
  }

  private KubernetesClient client(Config config) {
    KubernetesClient own = new KubernetesClientBuilder().withConfig(config).build();
    clients.add(own);
    return own;
  }

  /** Not started yet. */
  public MaintenanceController operator(
      KubernetesClient own, RequestInterceptor hook, Clock clock, DeparturePermission permission) {
    NoticeSink kept =
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
    return new MaintenanceController(
        own,
        new MaintenanceController.Settings(
            new MaintenanceInput.Rules(SLA, false), Duration.ofHours(10)),
        new MaintenanceController.Dependencies(
            clock,
            noting(hook),
            engine().holds(),
            permission,
            kept,
            MaintenanceController.Watcher.NONE));
  }

  /** Serves drains for all operators of the test. */
  private DrainEngine engine() {
    if (engine == null) {
      engine =
          new DrainEngine(
              new Kube(
                  new KubeHttp(operatorClient(), noting(RequestInterceptor.NONE), 500),
                  TimeSource.REAL),
              DrainEngine.Options.DEFAULT);
      engine.serveRequests();
      engine.keepHolds(List.of(DrainRequestController.HOLD_OWNER, MaintenanceController.HOLD_OWNER));
    }
    return engine;
  }

  public String node() {
    String name = cluster.addNode(namespace + "-" + (nodes.size() + 1));
    nodes.add(name);
    return name;
  }

  public Optional<Node> find(String node) {
    return Optional.ofNullable(cluster.client().nodes().withName(node).get());
  }

  public void create(String name, String node, String id) {
    createWith(name, node, id, "");
  }

  public void create(String name, String node, String id, String maintenanceClass) {
    createWith(name, node, id, ", maintenanceClass: " + maintenanceClass);
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

  public Optional<NotifyMaintenance> maintenance(String name) {
    return Optional.ofNullable(all().withName(name).get());
  }

  public String state(String name) {
    return maintenance(name)
        .map(NotifyMaintenance::getStatus)
        .map(status -> orEmpty(status.maintenanceStatus()))
        .orElse("");
  }

  public String waitingFor(String name) {
    return maintenance(name)
        .map(NotifyMaintenance::getStatus)
        .map(status -> orEmpty(status.waitingFor()))
        .orElse("");
  }

  /** A running pod without a controller. */
  public void pod(String name, String node) {
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
  public List<Pod> pods(String node) {
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

  public Map<String, String> conditions(String name) {
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

  public void awaitState(String name, String state) {
    eventually().until(() -> state(name), state::equals);
  }

  public void awaitGone(String name) {
    eventually().until(() -> maintenance(name).isEmpty());
  }

  public void awaitOver(String name) {
    eventually()
        .until(() -> maintenance(name).orElseThrow().getMetadata().getFinalizers(), List::isEmpty);
  }

  public void label(String node, String id) {
    kubectl("label", "node", node, "maintenance/" + id + "=");
  }

  public void annotate(String name, String client, String value) {
    kubectl(
        "annotate",
        "--overwrite",
        "notifymaintenance",
        name,
        "-n",
        namespace,
        "maintenance/" + client + "=" + value);
  }

  public void delete(String name) {
    kubectl(
        "delete", "notifymaintenance", name, "-n", namespace, "--wait=false", "--ignore-not-found");
  }

  public String kubectl(String... arguments) {
    return kubectlWithInput("", arguments);
  }

  public String kubectlWithInput(String input, String... arguments) {
    return cluster.kubectl(input, arguments).output();
  }

  /** Whatever it answers. */
  public CommandResult tryKubectl(String input, String... arguments) {
    return cluster.kubectl(input, arguments);
  }

  public List<String> events(String name) {
    return cluster.client().events().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getRegarding() != null)
        .filter(event -> name.equals(event.getRegarding().getName()))
        .map(Event::getReason)
        .toList();
  }

  /** The node's conditions about maintenance that are true. */
  public List<String> trueConditions(String node) {
    return find(node).orElseThrow().getStatus().getConditions().stream()
        .filter(condition -> condition.getStatus().equals("True"))
        .map(condition -> condition.getType())
        .filter(type -> type.startsWith("Maintenance") || type.startsWith("Drain"))
        .sorted()
        .toList();
  }

  public List<String> maintenanceLabels(String node) {
    return find(node).orElseThrow().getMetadata().getLabels().keySet().stream()
        .filter(label -> label.startsWith("maintenance/") || label.startsWith("cordoned"))
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    // Nobody may write into a namespace that is going, such as that of the test before.
    List<String> tried =
        forbidden.stream()
            .filter(
                call ->
                    !call.contains("/namespaces/")
                        || call.contains("/" + namespace + "/")
                        || call.contains("/" + systemNamespace + "/"))
            .toList();
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
    if (engine != null) {
      engine.close();
    }
    clients.forEach(KubernetesClient::close);
    cluster.close();
    assertThat(tried).as("calls that the operator's rights do not allow").isEmpty();
  }
}
