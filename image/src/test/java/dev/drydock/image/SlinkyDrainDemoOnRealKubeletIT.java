package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.Guardian;
import dev.drydock.testbed.KubernetesPrograms;
import dev.drydock.testbed.realkubelet.OciArchive;
import dev.drydock.testbed.realkubelet.RealKubeletTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo of custom drains as its README tells it, with its components in containers. */
@RealKubeletTest
class SlinkyDrainDemoOnRealKubeletIT {
  private static final Path DEMO = Path.of("..", "demos", "local-slinky-drain-demo");

  /** Short, because the sockets of a kubelet are below the folder of its cluster. */
  private static final String NAME = "demo";

  private static final List<String> DEPLOYMENTS =
      List.of(
          "platform-connector-deployment", "node-drainer", "slinky-drainer", "mock-slurm-operator");

  @TempDir private Path temporary;
  private Path state;
  private Guardian guardian;
  private Map<String, String> environment = Map.of();

  /** The cluster is in the background: it ends with this process, even if it is killed. */
  @BeforeEach
  void configure() throws IOException {
    OciArchive image = BuiltImage.archive();
    state = Files.createDirectory(temporary.resolve("s"));
    guardian = Guardian.of(state);
    Path launcher = state.resolve("drydock.sh");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        exec "%s/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m -cp "%s" dev.drydock.app.Drydock "$@"
        """
            .formatted(System.getProperty("java.home"), System.getProperty("java.class.path")));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Path programs = KubernetesPrograms.obtain().kubectl().toAbsolutePath().getParent();
    environment = new HashMap<>(guardian.environment());
    environment.put("DRYDOCK", launcher.toString());
    environment.put("IMAGE", image.file().toRealPath().toString());
    environment.put("XDG_STATE_HOME", state.toString());
    environment.put("CLUSTER_NAME", NAME);
    environment.put("PATH", programs + ":" + System.getenv("PATH"));
    environment.put(
        "KUBECONFIG", state.resolve("drydock/demos/" + NAME + "/admin.kubeconfig").toString());
  }

  @AfterEach
  void cleanUp() {
    make("cleanup");
    guardian.close();
  }

  private CommandResult make(String... words) {
    List<String> command = new ArrayList<>(List.of("make", "-C", DEMO.toString()));
    command.addAll(List.of(words));
    return CommandResult.run(command, environment, "");
  }

  private String shell(String line) {
    return CommandResult.run(List.of("bash", "-o", "pipefail", "-c", line), environment, "")
        .output();
  }

  @Test
  void theComponentsRunInContainersAndTheCommandsWorkAsPrinted() throws IOException {
    assertThat(make("setup").output()).contains("in containers: they can run here", "Ready.");
    assertThat(make("show-cluster").output())
        .contains(DEPLOYMENTS)
        .contains("run in containers", "platform-connectors", "slinky-workload-2");

    assertThat(make("inject-health-event").output()).contains("sent: GpuXidError of node");
    CommandResult verified = make("verify-drain", "VERIFY_SECONDS=300");

    assertThat(verified.exitCode()).as(verified.toString()).isZero();
    assertThat(verified.output()).contains("Checks passed: 5/5").doesNotContain("MISSING");
    for (String deployment : DEPLOYMENTS) {
      assertThat(shell("kubectl logs deployment/%s -n nvsentinel".formatted(deployment)))
          .as(deployment)
          .isNotEmpty()
          .doesNotContain("forbidden", "ERROR");
    }
    for (String line : commandsOfTheReadme()) {
      assertThat(shell(line)).as(line).isNotNull();
    }
    shell(manualDrainRequest());
    shell(
        "kubectl wait drainrequest/manual-drain-test -n nvsentinel --for=condition=DrainComplete --timeout=300s");
    assertThat(make("cleanup").output()).isNotNull();
    assertThat(state.resolve("drydock/demos")).isEmptyDirectory();
  }

  private static String manualDrainRequest() throws IOException {
    String readme = Files.readString(DEMO.resolve("README.md"));
    String end = "\nEOF\n";
    return readme
        .substring(readme.indexOf("cat <<EOF"), readme.indexOf(end) + end.length())
        .replace("nvsentinel-demo", NAME);
  }

  /** Those that follow something would not end. */
  private static List<String> commandsOfTheReadme() throws IOException {
    List<String> lines =
        Files.readAllLines(DEMO.resolve("README.md")).stream()
            .filter(line -> line.startsWith("kubectl "))
            .map(line -> line.replace(" -w", "").replace(" -f ", " "))
            .map(line -> line.replace("nvsentinel-demo", NAME))
            .toList();
    assertThat(lines).hasSizeGreaterThan(6);
    return lines;
  }
}
