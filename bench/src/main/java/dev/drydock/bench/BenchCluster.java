package dev.drydock.bench;

import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.ServiceAccountMount;
import dev.drydock.testbed.TestbedProgress;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The cluster on which all benchmarks run, one after another, the same for both peers. */
final class BenchCluster implements AutoCloseable {
  private final ControlPlane cluster;
  private final AuditLog audit;
  private final String namespace;
  private final PodWatch pods;
  private final AtomicInteger started = new AtomicInteger();

  private BenchCluster(ControlPlane cluster, AuditLog audit) {
    this.cluster = cluster;
    this.audit = audit;
    this.namespace = cluster.createNamespace("bench").name();
    this.pods = new PodWatch(cluster.client(), namespace);
  }

  static BenchCluster open(TestbedProgress progress) {
    try {
      Path directory = Files.createTempDirectory("drydock-bench-");
      AuditLog audit = AuditLog.in(directory);
      ControlPlane cluster =
          ControlPlane.start(
              ControlPlane.Options.defaults()
                  .withFlags("kube-apiserver", audit.apiServerFlags())
                  .withProgress(progress));
      cluster.beforeStop("bench", "rm -rf '" + directory + "'");
      allowPeers(cluster.client());
      return new BenchCluster(cluster, audit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Administrators by a ClusterRoleBinding, as people are. The group system:masters would bypass
   * the API server's priority and fairness.
   */
  private static void allowPeers(KubernetesClient client) {
    var _ =
        client
            .resource(
                new ClusterRoleBindingBuilder()
                    .withNewMetadata()
                    .withName(AuditLog.GROUP)
                    .endMetadata()
                    .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                    .addNewSubject("rbac.authorization.k8s.io", "Group", AuditLog.GROUP, null)
                    .build())
            .create();
  }

  KubernetesClient client() {
    return cluster.client();
  }

  String namespace() {
    return namespace;
  }

  PodWatch pods() {
    return pods;
  }

  Path kubectl() {
    return cluster.programs().kubectl();
  }

  String version() {
    return client().getKubernetesVersion().getGitVersion();
  }

  /**
   * Puts what a pod has of its service account below a root, and returns its variables. The account
   * may do everything.
   */
  Map<String, String> serviceAccount(Path root) throws IOException {
    String name = "bench-accounts";
    var _ =
        client()
            .resource(
                new ClusterRoleBindingBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .endMetadata()
                    .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                    .addNewSubject("", "ServiceAccount", "default", namespace)
                    .build())
            .createOr(NonDeletingOperation::update);
    return ServiceAccountMount.write(cluster, root, namespace, "default");
  }

  /** Simulated kubelets for groups of nodes, in their own JVM. */
  Process startKubelets(List<String> groups) {
    List<String> words = new ArrayList<>(List.of(cluster.kubeconfig().toString()));
    words.addAll(groups);
    List<String> options = List.of("-Xmx1g", "-XX:TieredStopAtLevel=1");
    return cluster.startComponent(
        "kubelets-" + started.incrementAndGet(),
        jvm(KubeletProcess.class, options, words),
        Map.of());
  }

  /** A simulated API server with this many nodes and pods, in its own JVM. */
  Process startLargeCluster(Path kubeconfig, int nodes, int podsPerNode) {
    return cluster.startComponent(
        "large-cluster-" + started.incrementAndGet(),
        jvm(
            LargeClusterProcess.class,
            List.of("-Xmx6g"),
            List.of(kubeconfig.toString(), Integer.toString(nodes), Integer.toString(podsPerNode))),
        Map.of());
  }

  /** Starts a contestant's commands to drain these nodes. */
  PeerRun start(Contestant who, List<String> nodes) {
    return start(user(who), who.commands(nodes));
  }

  /** A separate user for a run, or for several runs that count as one. */
  String user(Contestant who) {
    return "%s-%d".formatted(who.name(), started.incrementAndGet());
  }

  /** A client for parts inside the harness. The caller closes it. */
  KubernetesClient clientOf(String user) {
    return connect(cluster.kubeconfigFor(user, AuditLog.GROUP));
  }

  /** The caller closes it. */
  static KubernetesClient connect(Path kubeconfig) {
    return new KubernetesClientBuilder()
        .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
        .withHttpClientFactory(new JdkHttpClientFactory())
        .build();
  }

  /** The command that runs a main class of this program in another JVM. */
  static List<String> jvm(Class<?> main, List<String> options, List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(words);
    return command;
  }

  <T extends HasMetadata> NonNamespaceOperation<T, KubernetesResourceList<T>, Resource<T>> all(
      Class<T> kind) {
    return client().resources(kind).inNamespace(namespace);
  }

  /** Finalizers are removed here, because no operator is left to remove them. */
  <T extends HasMetadata> void deleteAll(Class<T> kind) {
    for (T one : all(kind).list().getItems()) {
      var _ =
          all(kind)
              .withName(one.getMetadata().getName())
              .edit(
                  each -> {
                    each.getMetadata().setFinalizers(List.of());
                    return each;
                  });
    }
    var _ = all(kind).delete();
  }

  /** A new empty folder with a path short enough for sockets. Removed with the cluster. */
  Path folder() {
    try {
      return Files.createDirectory(cluster.directory().resolve("run-" + started.incrementAndGet()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts commands concurrently. */
  PeerRun start(String name, List<List<String>> commands) {
    return start(name, commands, cluster.kubeconfigFor(name, AuditLog.GROUP), Map.of());
  }

  /** Starts commands concurrently, with these variables. */
  PeerRun start(String name, List<List<String>> commands, Map<String, String> environment) {
    return start(name, commands, cluster.kubeconfigFor(name, AuditLog.GROUP), environment);
  }

  /** Starts commands concurrently, for the cluster of this kubeconfig. */
  PeerRun start(
      String name, List<List<String>> commands, Path kubeconfig, Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("KUBECONFIG", kubeconfig.toString());
    // keeps kubectl's discovery cache, as for its users
    environment.put("KUBECACHEDIR", cluster.directory().resolve("kubectl-cache").toString());
    environment.put("KUBERC", "off");
    long end = audit.end();
    return PeerRun.start(
        name,
        commands,
        (process, command) -> cluster.startComponent(process, command, environment),
        new PeerRun.ResourceUsage(cluster.logs(), () -> audit.requestsOf(name, end)));
  }

  @Override
  public void close() {
    pods.close();
    cluster.close();
  }
}
