package dev.drydock.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts its own clusters, because it stops them. */
@ClusterTest
class ControlPlaneLifecycleIT {
  private static final ControlPlane.Options QUIET =
      ControlPlane.Options.defaults().withProgress(line -> {});

  @Test
  void leavesNoProcessAndNoFolderWhenClosed(@TempDir Path parent) throws IOException {
    Path directory = parent.toRealPath().resolve("a cluster");
    Path witness = parent.resolve("witness");

    try (ControlPlane cluster = ControlPlane.start(QUIET.withDirectory(directory))) {
      cluster.startComponent(
          "stubborn", List.of("bash", "-c", "trap '' TERM; sleep 600; sleep 600"), Map.of());
      cluster.beforeStop("last-will", "echo done > '" + witness + "'");
      assertThat(MarkedProcesses.of(directory))
          .as("the four components and the additional one")
          .hasSizeGreaterThanOrEqualTo(5);
    }

    assertThat(MarkedProcesses.of(directory)).isEmpty();
    assertThat(directory).doesNotExist();
    assertThat(witness).hasContent("done");
  }

  @Test
  void leavesNoProcessAndNoFolderWhenItsOwnerIsKilled() throws IOException {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OwnerToBeKilled.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = owner.inputReader()) {
      Path directory = Path.of(output.readLine());
      assertThat(MarkedProcesses.of(directory)).hasSizeGreaterThan(3);

      owner.destroyForcibly();

      await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(
              () -> {
                assertThat(MarkedProcesses.of(directory)).isEmpty();
                assertThat(directory).doesNotExist();
              });
    } finally {
      owner.destroyForcibly();
    }
  }

  @Test
  void saysThatAFixedPortIsInUse(@TempDir Path parent) throws IOException {
    Path directory = parent.resolve("cluster");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      assertThatThrownBy(
              () -> ControlPlane.start(QUIET.withDirectory(directory).withApiServerPort(port)))
          .isInstanceOf(TestbedException.class)
          .hasMessage("port %d on 127.0.0.1 is in use: choose another, or stop what uses it", port);
    }
    assertThat(directory).doesNotExist();
  }

  @Test
  void carriesTheLastWordsOfAComponentThatDoesNotStart(@TempDir Path parent) {
    Path directory = parent.resolve("cluster");

    assertThatThrownBy(
            () ->
                ControlPlane.start(
                    QUIET
                        .withDirectory(directory)
                        .withFlags("kube-apiserver", "--authorization-mode=Guess")))
        .isInstanceOf(TestbedException.class)
        .hasMessageStartingWith("kube-apiserver ended with exit code 1: ")
        .hasMessageContaining("Guess");
    assertThat(directory).doesNotExist();
  }

  @Test
  void takesAFixedPort(@TempDir Path parent) {
    int port = Ports.free();
    try (ControlPlane cluster =
        ControlPlane.start(
            QUIET.withDirectory(parent.resolve("cluster")).withApiServerPort(port))) {
      assertThat(cluster.server()).isEqualTo("https://127.0.0.1:" + port);
    }
  }
}
