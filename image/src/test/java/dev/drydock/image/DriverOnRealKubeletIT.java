package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestbedProgress;
import dev.drydock.testbed.realkubelet.RealKubelet;
import dev.drydock.testbed.realkubelet.RealKubeletTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The image as the drain driver alone, in a fresh cluster that has nothing of ours but two
 * definitions.
 */
@RealKubeletTest
class DriverOnRealKubeletIT {
  private static final List<String> FILES =
      List.of(
          "crds/lifecycletransitions.lifecycle.k8s.io-v1.yaml",
          "crds/lifecycleevents.lifecycle.k8s.io-v1.yaml",
          "rbac.yaml",
          "daemonset.yaml");

  private final ControlPlane fresh = ControlPlane.start();

  @AfterEach
  void stop() {
    fresh.close();
  }

  private String kubectl(String... arguments) {
    return fresh.kubectl(arguments).output();
  }

  @Test
  void itsDaemonSetDrainsTheNodeAndGivesItBack() {
    try (RealKubelet kubelet =
        RealKubelet.start(fresh, "kubelet-driver", TestbedProgress.stderr())) {
      kubelet.loadArchive(BuiltImage.archive(), "docker.io/library/drain-driver:latest");
      for (String file : FILES) {
        kubectl("apply", "-f", Path.of("..", "deploy").resolve(file).toString());
      }
      kubectl("rollout", "status", "-n", "kube-system", "ds/drain-driver", "--timeout=300s");

      event("drain", "drain.slm.k8s.io", kubelet.nodeName());
      awaitReason(kubelet.nodeName(), "drain-complete");
      assertThat(kubectl("get", "node", kubelet.nodeName())).contains("SchedulingDisabled");

      event("back", "drain.slm.k8s.io-uncordon", kubelet.nodeName());
      awaitReason(kubelet.nodeName(), "maintenance-complete");
      assertThat(kubectl("get", "node", kubelet.nodeName())).doesNotContain("SchedulingDisabled");
      assertThat(kubectl("logs", "-n", "kube-system", "ds/drain-driver"))
          .doesNotContain("forbidden", "ERROR");
    }
  }

  private void event(String name, String transition, String node) {
    var _ =
        fresh
            .kubectlWithInput(
                """
                apiVersion: lifecycle.k8s.io/v1alpha1
                kind: LifecycleEvent
                metadata: {name: %s}
                spec: {transitionName: %s, bindingNode: %s}
                """
                    .formatted(name, transition, node),
                "apply",
                "-f",
                "-")
            .output();
  }

  private void awaitReason(String node, String reason) {
    await()
        .atMost(Duration.ofMinutes(4))
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(
                        kubectl(
                            "get",
                            "node",
                            node,
                            "-o",
                            "jsonpath={.status.conditions[?(@.type==\"LifecycleTransition\")].reason}"))
                    .isEqualTo(reason));
  }
}
