package dev.drydock.testkit;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testbed.ControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A cluster that commands are typed at, real or simulated, with a namespace for one test. */
public final class CommandFixture implements AutoCloseable {
  private final TestCluster cluster;
  private final Path kubeconfig;
  private final String namespace;
  private final List<String> nodes = new ArrayList<>();
  private final List<HasMetadata> created = new ArrayList<>();
  private final List<Runnable> open = new ArrayList<>();

  private CommandFixture(TestCluster cluster, Path kubeconfig, String namespace) {
    this.cluster = cluster;
    this.kubeconfig = kubeconfig;
    this.namespace = namespace;
  }

  public static CommandFixture real(ControlPlane controlPlane, String namespace) {
    return new CommandFixture(TestCluster.real(controlPlane), controlPlane.kubeconfig(), namespace);
  }

  public static CommandFixture simulated(Path folder) {
    SimulatedCluster cluster = SimulatedCluster.running(SimulatedCluster.Settings.defaults());
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

  public Eventually eventually() {
    return cluster.eventually();
  }

  /** In the test's namespace. */
  public CommandOutcome drydock(String... words) {
    return CommandOutcome.run(
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
    return awaitReady(cluster.addNode(prefix()));
  }

  /** A node whose name is as long as it may be. */
  public String addNodeWithLongName() {
    return awaitReady(cluster.addNodeWithLongName(prefix()));
  }

  private String prefix() {
    return namespace + "-" + (nodes.size() + 1);
  }

  private String awaitReady(String name) {
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
    cluster.define(CrdCatalog.yaml());
    eventually()
        .until(() -> client().resources(NotifyMaintenance.class).inAnyNamespace().list() != null);
  }

  /** What is gone again at the end. */
  public void create(String yaml) {
    created.addAll(
        client().load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create());
  }

  /** A process beside the commands, such as an operator, that ends with the test. */
  public TestProcess process() {
    TestProcess process = cluster.process();
    closeAtTheEnd(process::close);
    return process;
  }

  /** Closes it at the end of the test, before what was opened earlier. */
  public void closeAtTheEnd(Runnable closing) {
    open.addFirst(closing);
  }

  @Override
  public void close() {
    open.forEach(Runnable::run);
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
