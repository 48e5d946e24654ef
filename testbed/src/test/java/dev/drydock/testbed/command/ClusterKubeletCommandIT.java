package dev.drydock.testbed.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.MarkedProcesses;
import dev.drydock.testbed.realkubelet.RealKubeletTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RealKubeletTest
class ClusterKubeletCommandIT {

  @Test
  void aRealNodeStandsBesideTheSimulatedOnes(@TempDir Path home, ControlPlane other)
      throws IOException {
    ClusterShell shell = ClusterShell.in(home.toRealPath(), other);
    try {
      assertThat(shell.cluster("up", "--nodes", "1", "--kubelet").output()).contains("2 nodes");

      String kubeconfig = shell.cluster("kubeconfig", "--path").output();
      assertThat(shell.kubectl(kubeconfig, "get", "nodes", "--no-headers").output().lines())
          .hasSize(2)
          .allMatch(line -> line.matches("(node-\\d+|kubelet-1) +Ready .*"));
    } finally {
      shell.cluster("down");
    }
    assertThat(MarkedProcesses.of(shell.controlPlane(ClusterName.DEFAULT))).isEmpty();
    assertThat(shell.leftovers()).isEmpty();
  }
}
