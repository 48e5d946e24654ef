package dev.drydock.slingshot.fake;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.slingshot.node.RunningRetryHandlers;
import dev.drydock.slingshot.node.decide.RetryHandlerProcess;
import dev.drydock.slingshot.node.decide.RetryStatistics;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fake {@code cxi_rh}, as a process. */
class FakeRetryHandlerTest {
  @TempDir private Path root;
  private FakeNics nics;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void create() throws IOException {
    nics = FakeNics.create(root, FakeNics.KERNEL, Clock.systemUTC());
    nics.add(FakeNic.numbered(0));
  }

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
    started.forEach(each -> each.onExit().join());
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(nics.retryHandler().toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    started.add(process);
    return process;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-d /dev/cxi0",
        "--device=/dev/cxi0",
        "--device=cxi",
        "--device=cxi0a",
        "--device=eth0",
        "--device=cxi7",
        "--device=cxi0 --conf=/does/not/exist",
        "--device=cxi0 --interval=5",
        "--device=cxi0 cxi1",
        "--device"
      })
  void whatTheVendorsRefusesIsRefused(String arguments) throws IOException {
    Process process = start(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));
    assertThat(process.onExit().join().exitValue()).isEqualTo(1);
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .startsWith("cxi_rh: ")
        .hasLineCount(1);
  }

  @Test
  void itCountsForItsNicUntilItIsStopped() throws IOException {
    Process process = start("--device=cxi0", "--log-stdout");
    Path statistics = root.resolve("run/cxi/cxi0");
    Eventually.inRealTime()
        .until(() -> statistics.resolve("config/max_spt_retries").toFile().exists());
    nics.set("cxi0", "rh/nacks", "7");
    nics.set("cxi0", "rh/spt_timeouts", "3");
    RetryStatistics read = RunningRetryHandlers.statistics(statistics).orElseThrow();
    assertThat(read.nacks()).isEqualTo(7);
    assertThat(read.timeouts()).isEqualTo(3);
    assertThat(read.total()).isEqualTo(10);
    assertThat(read.pending()).isZero();
    assertThat(read.values()).doesNotContainKey("config");

    process.toHandle().destroy();
    assertThat(process.onExit().join().exitValue()).isZero();
    assertThat(RunningRetryHandlers.statistics(statistics)).isEmpty();
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("cxi0: timeouts restored");
  }

  @Test
  void runningHandlersAreFoundByTheirCommandLines() throws IOException {
    Process process = start("--device=cxi0", "--conf=" + nics.retryHandler(), "--log-stdout");
    HostRoots own = nics.roots();
    HostRoots roots =
        new HostRoots(
            own.sys(), Path.of("/proc"), own.dev(), own.modules(), own.sources(), own.runCxi());
    RunningRetryHandlers handlers = new RunningRetryHandlers(roots);
    Eventually.inRealTime()
        .until(
            () -> handlers.all().values().stream().anyMatch(each -> each.pid() == process.pid()));
    RetryHandlerProcess found = requireNonNull(handlers.all().get("cxi0"));
    assertThat(found.policy()).isEqualTo("cxi_rh");
    Eventually.inRealTime().until(() -> handlers.statistics(found).isPresent());
  }
}
