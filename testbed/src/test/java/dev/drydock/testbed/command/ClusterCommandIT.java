package dev.drydock.testbed.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.MarkedProcesses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ClusterTest
class ClusterCommandIT {
  private static final Duration ALL_GONE = Duration.ofMinutes(4);

  @TempDir private Path home;
  private ClusterShell shell;

  @BeforeEach
  void openShell(ControlPlane other) throws IOException {
    shell = ClusterShell.in(home.toRealPath(), other);
  }

  @AfterEach
  void stopAll() {
    shell.cluster("down", "--all");
  }

  @Test
  void aClusterIsUpUntilItIsTakenDown() throws IOException {
    CommandResult up =
        shell.cluster("up", "--name", "blue", "--nodes", "2", "--node", "blue-worker");

    String kubeconfig = shell.cluster("kubeconfig", "--name", "blue", "--path").output();
    assertThat(up.output())
        .contains("Cluster \"blue\" is up: Kubernetes v1.36.4, 3 nodes.")
        .contains("export KUBECONFIG=" + kubeconfig)
        .endsWith("Stop it with: drydock cluster down --name blue");
    assertThat(shell.kubectl(kubeconfig, "get", "nodes", "--no-headers").output().lines())
        .hasSize(3)
        .allMatch(line -> line.matches("(node-\\d+|blue-worker) +Ready .*"));
    assertThat(shell.cluster("kubeconfig", "--name", "blue").output())
        .isEqualTo(Files.readString(Path.of(kubeconfig)).strip());
    assertStatusTellsAll(kubeconfig);
    assertFailure(
        shell.cluster("up", "--name", "blue"),
        "cluster \"blue\" is already up; stop it with 'drydock cluster down --name blue', or pick another --name");

    ProcessHandle host = host("blue");
    assertThat(MarkedProcesses.of(shell.controlPlane("blue"))).hasSizeGreaterThan(3);
    assertThat(shell.cluster("down", "--name", "blue").output())
        .isEqualTo("Cluster \"blue\" is gone.");

    assertNothingIsLeft("blue", host);
    assertThat(shell.cluster("down", "--name", "blue").output()).isEqualTo("No cluster to stop.");
    assertFailure(
        shell.cluster("kubeconfig", "--name", "blue"),
        "cluster \"blue\" is not up; start it with 'drydock cluster up --name blue'");
    assertFailure(
        shell.cluster("status", "--name", "blue"),
        "cluster \"blue\" is not up; start it with 'drydock cluster up --name blue'");
  }

  private void assertStatusTellsAll(String kubeconfig) throws IOException {
    JsonNode status = status("blue");
    assertThat(status.path("status").asText()).isEqualTo("Up");
    assertThat(status.path("readyNodes").asInt()).isEqualTo(3);
    assertThat(status.path("nodes").asInt()).isEqualTo(3);
    assertThat(status.path("cluster").path("kubeconfig").asText()).isEqualTo(kubeconfig);
    assertThat(status.path("cluster").path("version").asText()).isEqualTo("v1.36.4");
    String server = status.path("cluster").path("server").asText();

    assertThat(row(shell.cluster("status")))
        .startsWith("blue", "Up", "3/3", "v1.36.4")
        .endsWith(server);
    assertThat(row(shell.cluster("status", "-o", "wide")))
        .contains(server, status.path("pid").asText(), kubeconfig);
    JsonNode yaml =
        new ObjectMapper(new YAMLFactory())
            .readTree(shell.cluster("status", "-o", "yaml", "--name", "blue").output());
    assertThat(yaml.path(0).path("cluster")).isEqualTo(status.path("cluster"));
  }

  @Test
  void aKilledClusterIsDeadUntilItIsTakenDown() throws IOException {
    shell.cluster("up", "--name", "red", "--nodes", "0").output();
    ProcessHandle host = host("red");

    host.destroyForcibly();

    await() // each look is a program that has to start
        .atMost(ALL_GONE)
        .untilAsserted(() -> assertThat(status("red").path("status").asText()).isEqualTo("Dead"));
    assertFailure(
        shell.cluster("up", "--name", "red"),
        "cluster \"red\" died; remove what is left of it with 'drydock cluster down --name red'");
    assertThat(shell.cluster("down", "--name", "red").output())
        .isEqualTo("Cluster \"red\" is gone.");
    assertNothingIsLeft("red", host);

    assertThat(shell.cluster("up", "--name", "red", "--nodes", "0").output())
        .contains("Cluster \"red\" is up");
    assertThat(status("red").path("status").asText()).isEqualTo("Up");
  }

  @Test
  void aStartWhoseCommandIsKilledIsGivenUp() throws IOException {
    Process up = shell.startCluster("up", "--name", "grey", "--nodes", "0");
    await().atMost(ALL_GONE).until(() -> !MarkedProcesses.of(shell.controlPlane("grey")).isEmpty());

    up.destroyForcibly();

    await()
        .atMost(ALL_GONE)
        .untilAsserted(
            () -> {
              assertThat(MarkedProcesses.of(shell.controlPlane("grey"))).isEmpty();
              assertThat(shell.clusters()).doesNotExist();
            });
  }

  @Test
  void aPortInUseIsToldAndNothingIsLeft() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      assertFailure(
          shell.cluster("up", "--nodes", "0", "--port", Integer.toString(port)),
          "port " + port + " on 127.0.0.1 is in use: choose another, or stop what uses it");
    }
    assertThat(MarkedProcesses.of(shell.controlPlane(ClusterName.DEFAULT))).isEmpty();
    assertThat(shell.clusters()).doesNotExist();
  }

  @Test
  void aStateFolderThatIsNoneIsTold() throws IOException {
    Files.createFile(shell.clusters());
    String problem = ": Not a directory; set XDG_STATE_HOME to a folder that can be written";

    assertFailure(shell.cluster("up"), "cannot use " + shell.folder(ClusterName.DEFAULT) + problem);
    assertFailure(shell.cluster("status"), "cannot use " + shell.clusters() + problem);
  }

  @Test
  void withoutAClusterThereIsNothingToShow() {
    CommandResult status = shell.cluster("status");

    assertThat(status.exitCode()).isZero();
    assertThat(status.standardError().strip())
        .isEqualTo("No cluster is up. Start one with: drydock cluster up");
    assertThat(shell.cluster("status", "-o", "json").output()).isEqualTo("[ ]");
  }

  private JsonNode status(String name) throws IOException {
    JsonNode all = new ObjectMapper().readTree(shell.cluster("status", "-o", "json").output());
    assertThat(all).hasSize(1);
    assertThat(all.path(0).path("name").asText()).isEqualTo(name);
    return all.path(0);
  }

  private ProcessHandle host(String name) throws IOException {
    return ProcessHandle.of(status(name).path("pid").asLong()).orElseThrow();
  }

  private static List<String> row(CommandResult table) {
    List<String> lines = table.output().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).startsWith("NAME");
    return new ArrayList<>(List.of(lines.getLast().trim().split(" +", -1)));
  }

  private static void assertFailure(CommandResult result, String message) {
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(1);
    assertThat(errors(result)).containsExactly("error: " + message);
  }

  /** Standard error without the progress messages. */
  private static List<String> errors(CommandResult result) {
    return result.standardError().lines().filter(line -> line.startsWith("error:")).toList();
  }

  private void assertNothingIsLeft(String name, ProcessHandle host) throws IOException {
    assertThat(MarkedProcesses.of(shell.controlPlane(name))).isEmpty();
    // a zombie still has a pid, but runs nothing
    assertThat(host.info().commandLine()).as("the cluster's process").isEmpty();
    assertThat(shell.clusters()).doesNotExist();
  }
}
