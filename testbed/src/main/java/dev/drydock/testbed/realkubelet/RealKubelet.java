package dev.drydock.testbed.realkubelet;

import static java.util.Objects.requireNonNull;

import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.ServiceNetwork;
import dev.drydock.testbed.TestbedException;
import dev.drydock.testbed.TestbedProgress;
import dev.drydock.testbed.TestbedUnavailable;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A real node: the kubelet of the control plane's release with containerd and runc, next to the
 * control plane on this machine. Pods get addresses that this machine can reach, reach the API
 * server at the address of the Service {@code kubernetes}, and get images only from {@link
 * #loadImage}, {@link #loadArchive} and {@link ContainerImage#BUSYBOX}.
 *
 * <p>It runs in its own process and mount namespaces. Outside its folder it only creates a bridge
 * and a cgroup, which are removed with it, even if this JVM is killed. Several can run side by
 * side.
 */
public final class RealKubelet implements AutoCloseable {
  private static final long END_SECONDS = 10;

  private final NodeApiObjects objects;
  private final Path folder;
  private final Path cleanup;
  private @Nullable ApiForwarder forwarder;
  private @Nullable Process node;

  private RealKubelet(NodeApiObjects objects, Path folder, Path cleanup) {
    this.objects = objects;
    this.folder = folder;
    this.cleanup = cleanup;
  }

  /** Why containers cannot run here, as one line that says what to do; empty if they can. */
  public static Optional<String> unavailable() {
    return ContainerHost.unavailable();
  }

  /** Starts the node and returns when it is Ready. */
  public static RealKubelet start(ControlPlane cluster, String nodeName, TestbedProgress progress) {
    unavailable()
        .ifPresent(
            reason -> {
              throw new TestbedUnavailable(reason);
            });
    progress.report("starting containerd and kubelet for node " + nodeName);
    PodNetwork network = PodNetwork.claim();
    try {
      Path folder = cluster.directory().toAbsolutePath().resolve(network.bridge());
      NodeFiles scripts =
          new NodeFiles(
              cluster.directory().resolve("cleanup.d"),
              Map.of("bridge", network.bridge(), "folder", folder.toString()));
      Path cleanup = scripts.write("cleanup.sh", network.bridge() + ".sh");
      RealKubelet kubelet =
          new RealKubelet(new NodeApiObjects(cluster.client(), nodeName), folder, cleanup);
      try {
        kubelet.launch(cluster, network);
        progress.report("node %s is Ready".formatted(nodeName));
        return kubelet;
      } catch (IOException | RuntimeException e) {
        kubelet.removeFromMachine();
        throw e;
      }
    } catch (IOException e) {
      throw new TestbedException("cannot prepare node %s: %s".formatted(nodeName, e), e);
    }
  }

  public String nodeName() {
    return objects.nodeName();
  }

  /** The kubelet's own folder, which contains {@code plugins_registry}. */
  public Path rootDirectory() {
    return folder.resolve("kubelet");
  }

  /**
   * Restarts the kubelet, as an update of it does: containers go on. Does not wait until it is
   * Ready again.
   */
  public void restartKubelet() {
    ProcessHandle kubelet =
        requireNonNull(node)
            .descendants()
            .filter(RealKubelet::isKubelet)
            .findFirst()
            .orElseThrow(() -> new TestbedException("node %s does not run".formatted(nodeName())));
    try {
      Files.createFile(folder.resolve("restart-kubelet")); // the node's script looks for it
      if (!kubelet.destroy()) {
        throw new TestbedException("cannot end the kubelet of node " + nodeName());
      }
      var _ = kubelet.onExit().get(END_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException stuck) {
      var _ = kubelet.destroyForcibly(); // as systemd does
    } catch (IOException | ExecutionException e) {
      throw new TestbedException("cannot restart the kubelet of node " + nodeName(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isKubelet(ProcessHandle process) {
    return process.info().command().filter(path -> path.endsWith("/kubelet")).isPresent();
  }

  /** Imports the image on this node; pods use it with {@code imagePullPolicy: Never}. */
  public void loadImage(ContainerImage image) {
    try {
      Path archive = Files.createTempFile(folder, "image", ".tar");
      try {
        image.writeTo(archive);
        ctr("images", "import", archive.toString());
      } finally {
        Files.delete(archive);
      }
    } catch (IOException e) {
      throw new TestbedException("cannot load image %s: %s".formatted(image.name(), e), e);
    }
  }

  /**
   * Imports the image of an archive, under its own name and under these. Pods that pull only what
   * is not present find all.
   *
   * @throws TestbedException if this node cannot run it, with what to do
   */
  public void loadArchive(OciArchive archive, String... names) {
    archive.requireArchitectureOfThisMachine();
    ctr("images", "import", archive.file().toString());
    for (String name : names) {
      if (!archive.name().equals(name)) {
        ctr("images", "tag", "--force", archive.name(), name);
      }
    }
  }

  private void ctr(String... arguments) {
    List<String> words =
        new ArrayList<>(
            List.of("--address", folder.resolve("containerd.sock").toString(), "-n", "k8s.io"));
    words.addAll(List.of(arguments));
    SystemCommand.run("ctr", words.toArray(String[]::new)).output();
  }

  /** Deletes the node's pods, stops the node and removes everything of it from this machine. */
  @Override
  public void close() {
    if (Files.notExists(cleanup)) {
      // closed before, or ended with the cluster
      return;
    }
    try {
      try {
        objects.deletePods();
      } finally {
        removeFromMachine();
      }
      objects.deleteNode();
    } catch (KubernetesClientException e) {
      // the API server may be down, so the Node cannot be deleted
    }
  }

  private void launch(ControlPlane cluster, PodNetwork network) throws IOException {
    network.bringUp(cluster.services());
    forwarder = ApiForwarder.start(cluster.services());
    new NodeCgroup(network.bridge()).create();
    writeFiles(cluster, new NodeFiles(folder, values(network, cluster.services())));
    Path kubeconfig = cluster.kubeconfigFor("system:node:" + nodeName(), "system:nodes");
    List<String> command =
        List.of(
            "unshare",
            "--mount",
            "--propagation=private",
            "--pid",
            "--mount-proc",
            "--fork",
            "--kill-child",
            "bash",
            folder.resolve("node.sh").toString(),
            folder.toString(),
            network.bridge(),
            cluster.programs().kubelet().toString(),
            "--config=" + folder.resolve("kubelet.yaml"),
            "--kubeconfig=" + kubeconfig,
            "--hostname-override=" + nodeName(),
            "--node-ip=" + network.gateway(),
            "--root-dir=" + rootDirectory(),
            "--cert-dir=" + rootDirectory().resolve("pki"));
    node =
        cluster.startComponent("node-" + nodeName(), command, Map.of("PATH", SystemCommand.PATH));
    objects.awaitReady(node, folder);
  }

  private void writeFiles(ControlPlane cluster, NodeFiles files) throws IOException {
    files.write("node.sh", "node.sh");
    files.write("kubelet.yaml", "kubelet.yaml");
    files.write("containerd.toml", "containerd.toml");
    files.write("network.conflist", "cni/network.conflist");
    Files.write(
        folder.resolve("ca.crt"),
        Base64.getMimeDecoder().decode(cluster.client().getConfiguration().getCaCertData()));
    // pods must not use the DNS servers of this machine
    Files.writeString(folder.resolve("resolv.conf"), "nameserver 127.0.0.1\n");
    ContainerImage.busybox().writeTo(folder.resolve("sandbox.tar"));
  }

  private Map<String, String> values(PodNetwork network, ServiceNetwork services)
      throws IOException {
    return Map.of(
        "bridge", network.bridge(),
        "cniPlugins", ContainerHost.cniPlugins().orElseThrow().toString(),
        "folder", folder.toString(),
        "gateway", network.gateway(),
        "port", String.valueOf(network.freePort()),
        "sandboxImage", ContainerImage.BUSYBOX,
        "services", services.subnet(),
        "subnet", network.subnet());
  }

  private void removeFromMachine() {
    if (forwarder != null) {
      forwarder.close();
    }
    SystemCommand.run("bash", cleanup.toString()).output();
  }
}
