package dev.drydock.edge.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drydock.edge.EdgeFixture;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.TestProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plain {@code systemctl poweroff} of a machine with a real logind and a real API server. */
@ClusterTest
class RealLogindIT {
  private static final Path SETTINGS = Path.of("..", "deploy", "edge", "logind.conf");

  @TempDir private Path folder;

  @Test
  void aPlainPoweroffWaitsUntilTheNodeIsDrained(ControlPlane controlPlane) {
    Optional<String> missing = LogindContainer.missing();
    assumeTrue(missing.isEmpty() || ClusterExtension.isRequired(), missing.orElse(""));
    String pod = "edge-logind-web";
    try (EdgeFixture edge = EdgeFixture.real(controlPlane, folder, "edge-logind");
        TestProcess process = edge.cluster.process();
        LogindContainer machine = LogindContainer.start(folder, SETTINGS);
        LogindDelay delay =
            new LogindDelay(
                process.kube(),
                machine.inside(LogindDelay.COMMAND),
                () -> edge.ask(EdgeOperation.LOGIND, "shutdown"))) {
      edge.onRun(delay::release);
      edge.runPod(pod);
      edge.budget(pod);
      edge.start();
      delay.start();
      edge.eventually()
          .untilAsserted(
              () -> assertThat(machine.run("systemd-inhibit", "--list")).contains("drydock"));
      var _ = machine.run("systemctl", "poweroff");

      edge.eventually()
          .untilAsserted(() -> assertThat(Files.readString(edge.paths.progress())).contains(pod));
      assertThat(machine.isRunning()).as("it waits for the drain").isTrue();
      assertThat(edge.commands).isEmpty();
      edge.removeBudget(pod);

      edge.eventually().until(() -> !machine.isRunning());
      assertThat(edge.commands).containsExactly("release");
      assertThat(edge.hasPod(pod)).isFalse();
    }
  }
}
