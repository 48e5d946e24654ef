package dev.drydock.testbed.realkubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testbed.TestbedProgress;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

@RealKubeletTest
class RealKubeletCleanupIT {
  private static final List<Path> MACHINE_SETTINGS =
      List.of(
          Path.of("/proc/sys/kernel/panic"),
          Path.of("/proc/sys/kernel/panic_on_oops"),
          Path.of("/proc/sys/net/ipv4/ip_forward"),
          Path.of("/proc/sys/vm/overcommit_memory"));

  @Test
  void leavesNothingWhenClosedAndDisturbsNobody(
      ControlPlane cluster, RealKubelet neighbour, TestNamespace namespace) throws Exception {
    Map<Path, String> settings = machineSettings();
    RealKubelet kubelet = RealKubelet.start(cluster, "kubelet-to-close", TestbedProgress.stderr());
    TestPods pods = new TestPods(cluster.client(), namespace.name(), kubelet.nodeName());
    pods.create("pod", "exec sleep 1000");
    pods.await("pod", Readiness.getInstance()::isReady);
    NodeTraces traces = NodeTraces.of(kubelet.rootDirectory());
    assertThat(traces.podInterfaces()).hasSize(1);
    assertThat(traces.present()).anyMatch(trace -> trace.contains("sleep 1000"));
    assertThat(machineSettings()).isEqualTo(settings);

    kubelet.close();

    assertThat(traces.present()).isEmpty();
    assertThat(cluster.client().pods().inNamespace(namespace.name()).list().getItems()).isEmpty();
    assertThat(cluster.client().nodes().withName(kubelet.nodeName()).get()).isNull();
    pods = new TestPods(cluster.client(), namespace.name(), neighbour.nodeName());
    pods.create("beside", "exit 0");
    pods.await("beside", pod -> pod.getStatus().getPhase().equals("Succeeded"));
  }

  @Test
  void endsWithItsCluster() throws Exception {
    ControlPlane cluster = ControlPlane.start();
    RealKubelet kubelet =
        RealKubelet.start(cluster, "kubelet-of-ended-cluster", TestbedProgress.stderr());
    NodeTraces traces = NodeTraces.of(kubelet.rootDirectory());

    cluster.close();
    kubelet.close();

    assertThat(traces.present()).isEmpty();
  }

  @Test
  void leavesNothingWhenItsOwnerIsKilled() throws Exception {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    NodeTraces traces;
    try (BufferedReader lines = owner.inputReader(StandardCharsets.UTF_8)) {
      traces = NodeTraces.of(Path.of(lines.readLine()));
      assertThat(traces.present()).anyMatch(trace -> trace.contains("sleep 1000"));
    } finally {
      owner.destroyForcibly();
    }

    await().atMost(Duration.ofMinutes(3)).until(() -> traces.present().isEmpty());
    await().atMost(Duration.ofMinutes(3)).until(() -> Files.notExists(traces.folder().getParent()));
  }

  /** Runs a pod on its own node, prints the kubelet's folder, and waits to be killed. */
  static final class Owner {
    private Owner() {}

    public static void main(String[] arguments) throws Exception {
      ControlPlane cluster = ControlPlane.start();
      RealKubelet kubelet = RealKubelet.start(cluster, "orphan", TestbedProgress.stderr());
      TestPods pods = new TestPods(cluster.client(), "default", kubelet.nodeName());
      pods.create("pod", "exec sleep 1000");
      pods.await("pod", Readiness.getInstance()::isReady);
      System.out.println(kubelet.rootDirectory());
      Thread.sleep(Duration.ofHours(1));
    }
  }

  private static Map<Path, String> machineSettings() throws IOException {
    Map<Path, String> settings = new TreeMap<>();
    for (Path setting : MACHINE_SETTINGS) {
      settings.put(setting, Files.readString(setting));
    }
    return settings;
  }
}
