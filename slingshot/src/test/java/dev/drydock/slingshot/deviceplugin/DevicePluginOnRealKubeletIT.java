package dev.drydock.slingshot.deviceplugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.Typed;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.UnixServer;
import dev.drydock.slingshot.decide.OriginalImages;
import dev.drydock.slingshot.decide.SidecarInjection;
import dev.drydock.slingshot.decide.Tree;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testbed.realkubelet.ContainerImage;
import dev.drydock.testbed.realkubelet.RealKubelet;
import dev.drydock.testbed.realkubelet.RealKubeletTest;
import dev.drydock.testkit.Eventually;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin with a real kubelet, and what real containers get of it. */
@RealKubeletTest
class DevicePluginOnRealKubeletIT {
  private static final String RESOURCE = "hpe.com/cxi";
  private static final int UNITS = 2;

  /** More of them with -Dkubelet.restarts=20. */
  private static final int RESTARTS = Integer.getInteger("kubelet.restarts", 3);

  private static final Eventually EVENTUALLY =
      Eventually.inRealTime(Duration.ofMillis(200)).atMost(Duration.ofMinutes(4));

  private final ControlPlane cluster;
  private final RealKubelet kubelet;
  private final String namespace;
  private final Path plugins;
  private final FakeNics machine;
  private final DevicePlugin plugin;

  DevicePluginOnRealKubeletIT(
      ControlPlane cluster, RealKubelet kubelet, TestNamespace namespace, @TempDir Path folder)
      throws IOException {
    this.cluster = cluster;
    this.kubelet = kubelet;
    this.namespace = namespace.name();
    plugins = kubelet.rootDirectory().resolve("device-plugins");
    machine = FakeNics.create(folder.resolve("machine"), FakeNics.KERNEL, Clock.systemUTC());
    machine.useDeviceNodes();
    machine.add(FakeNic.numbered(0));
    machine.add(FakeNic.numbered(1));
    plugin =
        new DevicePlugin(
            new LoopFactory(TimeSource.REAL),
            new DevicePlugin.Settings(
                RESOURCE,
                SharingMode.shared,
                UNITS,
                true,
                plugins,
                machine.roots(),
                Duration.ofMillis(100),
                Duration.ofMillis(300)));
  }

  @BeforeEach
  void start() throws IOException {
    plugin.start();
    // the node may still show what an earlier plugin had
    EVENTUALLY.until(() -> plugin.unready().isEmpty());
    awaitAllocatable(2 * UNITS);
  }

  @AfterEach
  void stop() {
    plugin.close();
    cluster.client().pods().inNamespace(namespace).withGracePeriod(0).delete();
  }

  private int allocatable() {
    Quantity amount =
        cluster
            .client()
            .nodes()
            .withName(kubelet.nodeName())
            .require()
            .getStatus()
            .getAllocatable()
            .get(RESOURCE);
    return amount == null ? -1 : Integer.parseInt(amount.getAmount());
  }

  private void awaitAllocatable(int amount) {
    EVENTUALLY.untilAsserted(() -> assertThat(allocatable()).isEqualTo(amount));
  }

  private Pod pod(String name) {
    return cluster.client().pods().inNamespace(namespace).withName(name).require();
  }

  private static Map<String, Object> app(int nics) {
    return new HashMap<>(
        Map.of(
            "name",
            "app",
            "image",
            ContainerImage.BUSYBOX,
            "imagePullPolicy",
            "Never",
            "command",
            List.of(
                "sh",
                "-c",
                "for d in /dev/cxi*; do echo x > $d && echo $d; done; env | grep CXI | sort; sleep 1000000"),
            "resources",
            Map.of("limits", Map.of(RESOURCE, nics))));
  }

  private Map<String, Object> manifest(String name, int nics) {
    Map<String, Object> spec =
        new HashMap<>(
            Map.of(
                "nodeName",
                kubelet.nodeName(),
                "terminationGracePeriodSeconds",
                1,
                "automountServiceAccountToken",
                false,
                "containers",
                List.of(app(nics))));
    return new HashMap<>(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Pod",
            "metadata",
            new HashMap<>(Map.of("name", name, "namespace", namespace)),
            "spec",
            spec));
  }

  private void run(Map<String, Object> manifest) {
    var _ = cluster.kubectlWithInput(Typed.tree(manifest).toString(), "apply", "-f", "-").output();
  }

  /** What the app of a pod prints: its devices, and its variables. */
  private List<String> printed(String name, String last) {
    return EVENTUALLY.until(
        () ->
            cluster
                .kubectl("logs", "-n", namespace, name, "-c", "app")
                .standardOutput()
                .lines()
                .toList(),
        lines -> lines.stream().anyMatch(line -> line.startsWith(last)));
  }

  private static String only(List<String> lines) {
    return lines.getFirst().replace("/dev/", "");
  }

  private void assertUntouched(Pod before) {
    Pod now = pod(before.getMetadata().getName());
    assertThat(now.getStatus().getPhase()).isEqualTo("Running");
    assertThat(now.getStatus().getContainerStatuses().getFirst().getContainerID())
        .isEqualTo(before.getStatus().getContainerStatuses().getFirst().getContainerID());
  }

  @Test
  void podsGetTheirDevicesAndKeepThemWhateverBecomesOfLinkAndKubelet() throws Exception {
    run(manifest("one", 1));
    run(manifest("two", 2));

    List<String> one = printed("one", "CXI_DEVICE_COUNT");
    assertThat(one)
        .as("a device that can be written to, and its name")
        .containsExactly(one.getFirst(), "CXI_DEVICE=" + only(one), "CXI_DEVICE_COUNT=1");
    assertThat(only(one)).matches("cxi[01]");
    assertThat(printed("two", "CXI_DEVICE_COUNT"))
        .containsExactly("/dev/cxi0", "/dev/cxi1", "CXI_DEVICE_COUNT=2");
    Path files = machine.roots().runCxi().resolve("pods");
    EVENTUALLY.untilAsserted(
        () -> {
          assertThat(files.resolve(pod("one").getMetadata().getUid())).hasContent(only(one));
          assertThat(files.resolve(pod("two").getMetadata().getUid())).hasContent("cxi0\ncxi1");
        });
    Pod before = pod("one");

    machine.link(only(one), false);
    awaitAllocatable(UNITS);
    assertUntouched(before);
    machine.link(only(one), true);
    awaitAllocatable(2 * UNITS);

    List<Long> times = new ArrayList<>();
    for (int i = 0; i < RESTARTS; i++) {
      times.add(restart().toMillis());
    }
    System.err.printf("kubelet's socket there to registered, in ms: %s%n", times);
    awaitAllocatable(2 * UNITS);
    assertUntouched(before);
    assertThat(files.resolve(before.getMetadata().getUid())).exists();
  }

  /** From the new socket of the kubelet until it watches the plugin's devices again. */
  private Duration restart() throws IOException {
    Path socket = plugins.resolve("kubelet.sock");
    Path own = plugins.resolve("cxi-plugin.sock");
    Object before = UnixServer.identity(socket);
    Object ownBefore = UnixServer.identity(own);
    kubelet.restartKubelet();
    EVENTUALLY.until(() -> !UnixServer.identity(socket).equals(before));
    long there = System.nanoTime();
    // a kubelet that starts removes the plugin's socket; until then the plugin knows of nothing
    EVENTUALLY.until(() -> !UnixServer.identity(own).equals(ownBefore));
    EVENTUALLY.until(() -> plugin.unready().isEmpty());
    return Duration.ofNanos(System.nanoTime() - there);
  }

  /** The container that the webhook adds, with the folders of the fake machine. */
  @Test
  void aSidecarServesTheDeviceOfItsPodWithinItsLimit() throws Exception {
    makeDevNull();
    Map<String, Object> pod = manifest("served", 1);
    SidecarInjection.Outcome.Changed changed =
        (SidecarInjection.Outcome.Changed)
            new SidecarInjection(
                    new OriginalImages.Choice(ContainerImage.BUSYBOX, false),
                    RESOURCE,
                    Map.of(),
                    true,
                    false)
                .inject(pod);
    String text = Typed.tree(apply(pod, changed.changes())).toString();
    text =
        text.replace("{\"path\":\"/dev\"}", "{\"path\":\"%s\"}".formatted(machine.roots().dev()))
            .replace(
                "{\"path\":\"/run/cxi\"", "{\"path\":\"%s\"".formatted(machine.roots().runCxi()));
    var _ = cluster.kubectlWithInput(text, "apply", "-f", "-").output();

    String nic = only(printed("served", "CXI_DEVICE_COUNT"));

    EVENTUALLY.until(() -> Files.exists(machine.roots().runCxi().resolve(nic + "/nacks")));
    CommandResult memory =
        cluster.kubectl(
            "exec",
            "-n",
            namespace,
            "served",
            "-c",
            "cxi-retry-handler",
            "--",
            "sh",
            "-c",
            "cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory/memory.max_usage_in_bytes"
                + " || cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory.peak");
    List<Long> bytes = memory.output().lines().map(Long::valueOf).toList();
    assertThat(bytes.getFirst()).isEqualTo(64L << 20);
    assertThat(bytes.getLast()).isBetween(1L, 64L << 20);
    assertThat(pod("served").getStatus().getInitContainerStatuses().getFirst().getRestartCount())
        .isZero();
  }

  private void makeDevNull() {
    CommandResult.run(
            List.of(
                "mknod",
                "-m",
                "666",
                machine.roots().dev().resolve("null").toString(),
                "c",
                "1",
                "3"),
            Map.of(),
            "")
        .output();
  }

  /** The pod as the API server would change it, with a cxi_rh in the sidecar. */
  @SuppressWarnings("unchecked")
  private Map<String, Object> apply(
      Map<String, Object> pod, List<SidecarInjection.Change> changes) {
    for (SidecarInjection.Change change : changes) {
      Map<String, Object> at = pod;
      List<String> path = change.path();
      for (String key : path.subList(0, path.size() - 1)) {
        at = (Map<String, Object>) at.computeIfAbsent(key, _ -> new HashMap<String, Object>());
      }
      at.put(path.getLast(), change.value());
    }
    Map<String, Object> spec = Tree.child(pod, "spec");
    List<Map<String, Object>> volumes = new ArrayList<>(Tree.children(spec, "volumes"));
    volumes.add(
        Map.of("name", "program", "hostPath", Map.of("path", machine.retryHandler().toString())));
    spec.put("volumes", volumes);
    Map<String, Object> sidecar = Tree.children(spec, "initContainers").getFirst();
    sidecar.put("imagePullPolicy", "Never");
    List<Map<String, Object>> mounts = new ArrayList<>(Tree.children(sidecar, "volumeMounts"));
    mounts.add(Map.of("name", "program", "mountPath", "/bin/cxi_rh"));
    sidecar.put("volumeMounts", mounts);
    return pod;
  }
}
