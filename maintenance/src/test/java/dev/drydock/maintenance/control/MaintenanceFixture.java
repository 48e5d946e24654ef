package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.drain.DrainFeature;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.maintenance.decide.CompletionKind;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.ShiftedTime;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Nodes and maintenances of one test, moved as a user's own operators would. */
public final class MaintenanceFixture implements AutoCloseable {
  public static final Duration SLA = Duration.ofHours(5);

  public final String namespace;
  public final List<String> notices = new CopyOnWriteArrayList<>();
  private static final String SYSTEM = "drydock-system";
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private final List<String> forbidden = new CopyOnWriteArrayList<>();
  private final TestCluster cluster;
  private final Optional<Config> rights;
  private final String systemNamespace;
  private final List<String> nodes = new ArrayList<>();

  /** On a simulated cluster kubectl would take most of the time of a test. */
  private boolean byKubectl;

  /** Serves drains for all operators of the test. */
  private final DrainEngine engine;

  private MaintenanceFixture(TestCluster cluster, String namespace, Optional<Config> rights) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.rights = rights;
    systemNamespace = rights.isPresent() ? SYSTEM : namespace;
    byKubectl = rights.isPresent();
    cluster.define(CrdCatalog.yaml());
    eventually().until(() -> all().list() != null);
    engine = new DrainEngine(process(RequestInterceptor.NONE).kube(), DrainEngine.Options.DEFAULT);
    DrainFeature.serve(
        engine,
        ServedRequests.NAMED,
        List.of(DrainRequestController.HOLD_OWNER, MaintenanceController.HOLD_OWNER));
  }

  /** On a simulated cluster in virtual time. */
  public static MaintenanceFixture simulated() {
    return new MaintenanceFixture(TestCluster.simulated(), "default", Optional.empty());
  }

  /** On a simulated cluster that the test has made. */
  public static MaintenanceFixture simulated(SimulatedCluster cluster) {
    return new MaintenanceFixture(TestCluster.simulated(cluster), "default", Optional.empty());
  }

  /** Operators have exactly the rights of the ServiceAccount in the manifests. */
  public static MaintenanceFixture asTheManifest(TestCluster cluster, String namespace) {
    return new MaintenanceFixture(
        cluster, namespace, Optional.of(rightsOfTheManifest(cluster, namespace)));
  }

  /** With the binding that the documentation has for a namespace of maintenances. */
  private static Config rightsOfTheManifest(TestCluster cluster, String namespace) {
    for (String file : List.of("namespace.yaml", "operator-rbac.yaml")) {
      String path = Path.of("..", "deploy", file).toString();
      var _ = cluster.kubectl("", "apply", "--server-side", "-f", path).output();
    }
    var _ =
        cluster
            .kubectl(
                "",
                "create",
                "rolebinding",
                "drydock-operator-jobs",
                "-n",
                namespace,
                "--clusterrole=drydock-operator-jobs",
                "--serviceaccount=" + SYSTEM + ":drydock-operator")
            .output();
    awaitGranted(cluster, "list", "nodes");
    awaitGranted(cluster, "create", "jobs.batch", "-n", namespace);
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

  /** The server hears of a grant a moment later. */
  private static void awaitGranted(TestCluster cluster, String... right) {
    List<String> command = new ArrayList<>(List.of("auth", "can-i"));
    command.addAll(List.of(right));
    command.add("--as=system:serviceaccount:" + SYSTEM + ":drydock-operator");
    cluster
        .eventually()
        .until(() -> cluster.kubectl("", command.toArray(String[]::new)).succeeded());
  }

  /** Where an operator keeps what is its own. */
  public String systemNamespace() {
    return systemNamespace;
  }

  /** Also notes what the server forbids, which no operator may try. */
  private RequestInterceptor noting(RequestInterceptor hook) {
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

  public Eventually eventually() {
    return cluster.eventually();
  }

  private io.fabric8.kubernetes.client.dsl.NonNamespaceOperation<
          NotifyMaintenance,
          io.fabric8.kubernetes.api.model.KubernetesResourceList<NotifyMaintenance>,
          Resource<NotifyMaintenance>>
      all() {
    return cluster.client().resources(NotifyMaintenance.class).inNamespace(namespace);
  }

  /** A process that serves maintenances. */
  public record Operator(TestProcess process, MaintenanceController served)
      implements AutoCloseable {
    @Override
    public void close() {
      served.close();
      process.kill();
    }
  }

  public Operator operator() {
    return operator(process(RequestInterceptor.NONE));
  }

  public Operator operator(TestProcess process) {
    Operator operator = operator(process, DeparturePermission.OPEN);
    operator.served().start();
    return operator;
  }

  /** An operator's process. */
  public TestProcess process(RequestInterceptor interceptor) {
    return process(interceptor, Duration.ZERO);
  }

  /**
   * An operator's process.
   *
   * @param ahead how far its clock is ahead of the cluster's
   */
  public TestProcess process(RequestInterceptor interceptor, Duration ahead) {
    ProcessOptions options =
        ProcessOptions.of(noting(interceptor)).withTime(time -> new ShiftedTime(time, ahead));
    return cluster.process(rights.map(options::withRights).orElse(options));
  }

  /** An operator's process, which a simulated cluster knows by this name. */
  public TestProcess process(RequestInterceptor interceptor, String user) {
    Config config = cluster.config();
    config.setImpersonateUsername(user);
    return cluster.process(ProcessOptions.of(noting(interceptor)).withRights(config));
  }

  /** Lets time pass. */
  public void pass(Duration time) {
    cluster.pass(time);
  }

  /** A process of the test's own, with all rights. */
  public TestProcess observer() {
    return cluster.process();
  }

  public KubernetesClient client() {
    return cluster.client();
  }

  /** Not started yet. */
  public Operator operator(TestProcess process, DeparturePermission permission) {
    Kube kube = process.kube();
    NoticeSink kept =
        (maintenance, event, completion) -> {
          String notice =
              maintenance.facts().identity().name()
                  + " "
                  + event.word()
                  + (completion == CompletionKind.CANCELLED ? " cancelled" : "");
          // Told again after a conflict; what keeps notices tells them apart.
          if (!notices.contains(notice)) {
            notices.add(notice);
          }
        };
    return new Operator(
        process,
        new MaintenanceController(
            kube,
            new MaintenanceInput.Rules(SLA, false),
            new MaintenanceController.Dependencies(
                new DrainEngine(kube, DrainEngine.Options.DEFAULT),
                permission,
                kept,
                MaintenanceController.Watcher.NONE)));
  }

  public String node() {
    return added(cluster.addNode(prefix()));
  }

  /** With a name as long as that of a node may be. */
  public String nodeWithLongName() {
    return added(cluster.addNodeWithLongName(prefix()));
  }

  private String prefix() {
    return namespace + "-" + (nodes.size() + 1);
  }

  private String added(String node) {
    nodes.add(node);
    return node;
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
    create(
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: %s, namespace: %s}
        spec: {nodeObject: %s, maintenanceID: %s, maintenanceType: planned%s}
        """
            .formatted(name, namespace, node, id, more));
  }

  /** From now on all that users do is done by kubectl. */
  public void useKubectl() {
    byKubectl = true;
  }

  public void create(String yaml) {
    if (byKubectl) {
      var _ = kubectlWithInput(yaml, "create", "-f", "-");
    } else {
      var _ = cluster.client().resource(yaml).create();
    }
  }

  public void apply(String yaml) {
    if (byKubectl) {
      var _ = kubectlWithInput(yaml, "apply", "-f", "-");
    } else {
      var _ = cluster.client().resource(yaml).forceConflicts().serverSideApply();
    }
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

  public void deletePod(String name) {
    var _ =
        cluster.client().pods().inNamespace(namespace).withName(name).withGracePeriod(0).delete();
  }

  /** A running pod without a controller. */
  public void pod(String name, String node) {
    cluster.runPod(namespace, name, node);
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
    labelNode(node, "maintenance/" + id, "");
  }

  public void labelNode(String node, String label, String value) {
    if (byKubectl) {
      var _ = kubectl("label", "node", node, label + "=" + value);
    } else {
      patchNode(node, "{\"metadata\":{\"labels\":{\"%s\":\"%s\"}}}".formatted(label, value));
    }
  }

  public void cordon(String node) {
    if (byKubectl) {
      var _ = kubectl("cordon", node);
    } else {
      patchNode(node, "{\"spec\":{\"unschedulable\":true}}");
    }
  }

  public void uncordon(String node) {
    if (byKubectl) {
      var _ = kubectl("uncordon", node);
    } else {
      patchNode(node, "{\"spec\":{\"unschedulable\":null}}");
    }
  }

  private void patchNode(String node, String patch) {
    var _ = cluster.client().nodes().withName(node).patch(MERGE, patch);
  }

  public void annotate(String name, String client, String value) {
    if (byKubectl) {
      var _ =
          kubectl(
              "annotate",
              "--overwrite",
              "notifymaintenance",
              name,
              "-n",
              namespace,
              "maintenance/" + client + "=" + value);
    } else {
      var _ =
          all()
              .withName(name)
              .patch(
                  MERGE,
                  "{\"metadata\":{\"annotations\":{\"maintenance/%s\":\"%s\"}}}"
                      .formatted(client, value));
    }
  }

  public void delete(String name) {
    if (byKubectl) {
      var _ =
          kubectl(
              "delete",
              "notifymaintenance",
              name,
              "-n",
              namespace,
              "--wait=false",
              "--ignore-not-found");
    } else {
      var _ = all().withName(name).delete();
    }
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
    // Deleted first: without its finalizer, an operator of the next test would put it back.
    var _ = all().delete();
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
    engine.close();
    cluster.close();
    assertThat(tried).as("calls that the operator's rights do not allow").isEmpty();
  }
}
