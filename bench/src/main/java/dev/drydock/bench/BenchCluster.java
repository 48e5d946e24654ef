package dev.drydock.bench;

import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestbedProgress;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
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

  /** Simulated kubelets for groups of nodes, in their own JVM. */
  Process startKubelets(List<String> groups) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KubeletProcess.class.getName(),
                cluster.kubeconfig().toString()));
    command.addAll(groups);
    return cluster.startComponent("kubelets-" + started.incrementAndGet(), command, Map.of());
  }

  /** A simulated API server with this many nodes and pods, in its own JVM. */
  Process startLargeCluster(Path kubeconfig, int nodes, int podsPerNode) {
    return cluster.startComponent(
        "large-cluster-" + started.incrementAndGet(),
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx6g",
            "-cp",
            System.getProperty("java.class.path"),
            LargeClusterProcess.class.getName(),
            kubeconfig.toString(),
            Integer.toString(nodes),
            Integer.toString(podsPerNode)),
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
    Path kubeconfig = cluster.kubeconfigFor(user, AuditLog.GROUP);
    return new KubernetesClientBuilder()
        .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
        .withHttpClientFactory(new JdkHttpClientFactory())
        .build();
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
