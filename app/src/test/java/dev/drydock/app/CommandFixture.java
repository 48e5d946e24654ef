package dev.drydock.app;

import static org.awaitility.Awaitility.await;

import dev.drydock.app.DrydockTest.Outcome;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.drain.DrainFeature;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.maintenance.campaign.CampaignController;
import dev.drydock.maintenance.control.MaintenanceController;
import dev.drydock.maintenance.control.NoticeSink;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;

/** A cluster that commands are typed at, real or simulated, with a namespace for one test. */
public final class CommandFixture implements AutoCloseable {
  private final TestCluster cluster;
  private final Path kubeconfig;
  private final String namespace;
  private final List<String> nodes = new ArrayList<>();
  private final List<HasMetadata> created = new ArrayList<>();
  private final List<Runnable> operators = new ArrayList<>();

  private CommandFixture(TestCluster cluster, Path kubeconfig, String namespace) {
    this.cluster = cluster;
    this.kubeconfig = kubeconfig;
    this.namespace = namespace;
  }

  public static CommandFixture real(ControlPlane controlPlane, String namespace) {
    return new CommandFixture(TestCluster.real(controlPlane), controlPlane.kubeconfig(), namespace);
  }

  public static CommandFixture simulated(Path folder) {
    SimulatedCluster cluster = SimulatedCluster.running(SimulatedCluster.Settings.usual());
    try {
      Path file = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig());
      CommandFixture fixture = new CommandFixture(TestCluster.simulated(cluster), file, "ops");
      fixture
          .client()
          .resource(new NamespaceBuilder().withNewMetadata().withName("ops").endMetadata().build())
          .create();
      return fixture;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(30));
  }

  /** In the test's namespace. */
  public Outcome drydock(String... words) {
    return DrydockTest.run(
        Stream.concat(
                Stream.of(words),
                Stream.of("--kubeconfig", kubeconfig.toString(), "--namespace", namespace))
            .toArray(String[]::new));
  }

  public KubernetesClient client() {
    return cluster.client();
  }

  public Path kubeconfig() {
    return kubeconfig;
  }

  public String namespace() {
    return namespace;
  }

  /** A node that is ready. */
  public String addNode() {
    String name = cluster.addNode(namespace + "-" + (nodes.size() + 1));
    nodes.add(name);
    eventually()
        .until(
            () -> Optional.ofNullable(client().nodes().withName(name).get()),
            found -> found.filter(CommandFixture::isReady).isPresent());
    return name;
  }

  private static boolean isReady(Node node) {
    return node.getSpec().getTaints().isEmpty()
        && node.getStatus().getConditions().stream()
            .anyMatch(each -> each.getType().equals("Ready") && each.getStatus().equals("True"));
  }

  public boolean isCordoned(String node) {
    return Boolean.TRUE.equals(
        client().nodes().withName(node).require().getSpec().getUnschedulable());
  }

  /** Installs Drydock's kinds. */
  public void define() {
    var _ = apply(CrdCatalog.yaml());
    eventually()
        .ignoreExceptions()
        .until(() -> client().resources(NotifyMaintenance.class).inAnyNamespace().list() != null);
  }

  /** What is gone again at the end. */
  public void create(String yaml) {
    created.addAll(apply(yaml));
  }

  /** Under kubectl's name, by which other tests apply the same definitions to the same cluster. */
  private List<HasMetadata> apply(String yaml) {
    return client()
        .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
        .items()
        .stream()
        .map(
            object ->
                client()
                    .resource(object)
                    .fieldManager("kubectl")
                    .forceConflicts()
                    .serverSideApply())
        .toList();
  }

  /** Serves the cluster as an operator does, obeying the cord in the test's namespace. */
  public void startOperator() {
    KubernetesClient own = new KubernetesClientBuilder().withConfig(cluster.config()).build();
    Kube kube =
        new Kube(new KubeHttp(own, RequestInterceptor.NONE, KubeHttp.PAGE_SIZE), TimeSource.REAL);
    DrainEngine engine = new DrainEngine(kube, DrainEngine.Options.DEFAULT);
    CampaignController campaigns =
        new CampaignController(
            kube, new CampaignController.Settings(namespace, List.of()), engine::stopped);
    MaintenanceController maintenances =
        new MaintenanceController(
            kube,
            new MaintenanceInput.Rules(Duration.ofHours(5), false),
            new MaintenanceController.Dependencies(
                engine.holds(), campaigns, NoticeSink.NONE, MaintenanceController.Watcher.NONE));
    new AndonCord(kube, namespace)
        .govern(
            engine,
            () -> {
              maintenances.lookAgain("");
              campaigns.lookAgain();
            });
    DrainFeature.serve(
        engine,
        ServedRequests.NAMED,
        List.of(DrainRequestController.HOLD_OWNER, MaintenanceController.HOLD_OWNER));
    campaigns.serve(maintenances);
    maintenances.start();
    operators.addAll(
        List.of(campaigns::close, maintenances::close, engine::close, kube::close, own::close));
  }

  @Override
  public void close() {
    operators.forEach(Runnable::run);
    release(NotifyMaintenance.class);
    release(DrainRequest.class);
    created.forEach(object -> client().resource(object).delete());
    nodes.forEach(node -> client().nodes().withName(node).delete());
    cluster.close();
  }

  /** Nobody serves them any more, so nobody would let them go. */
  private <T extends HasMetadata> void release(Class<T> kind) {
    try {
      // Deleted first: without its finalizer, an operator of the next test would put it back.
      var _ = client().resources(kind).inNamespace(namespace).delete();
      for (T left : client().resources(kind).inNamespace(namespace).list().getItems()) {
        left.getMetadata().setFinalizers(List.of());
        client().resource(left).update();
      }
    } catch (KubernetesClientException notDefined) {
      if (notDefined.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw notDefined;
      }
    }
  }
}
