package dev.drydock.slingshot.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The few lines of shell of a sidecar, with the machine's shell and with that of the image. */
class SidecarScriptTest {
  private static final Eventually EVENTUALLY = Eventually.inRealTime();

  private final FakeNics machine;
  private final Path run;
  private final Path log;
  private final List<Process> started = new ArrayList<>();

  SidecarScriptTest(@TempDir Path folder) throws IOException {
    machine = FakeNics.create(folder.resolve("machine"), FakeNics.KERNEL, Clock.systemUTC());
    machine.add(FakeNic.numbered(0));
    machine.add(FakeNic.numbered(1));
    run = machine.roots().runCxi();
    log = folder.resolve("log");
  }

  @AfterEach
  void stop() {
    started.forEach(
        process -> {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
        });
  }

  private Process start(String shell, String pod) throws IOException {
    String script =
        SidecarInjection.SCRIPT
            .replace("/run/cxi", run.toString())
            .replace("ls /dev ", "ls %s ".formatted(machine.roots().dev()));
    List<String> command = new ArrayList<>(List.of(shell.split(" ", -1)));
    assumeTrue(Files.isExecutable(Path.of(command.getFirst())), "no " + shell);
    command.addAll(List.of("-c", script));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("POD_UID", pod);
    builder
        .environment()
        .merge(
            "PATH",
            machine.retryHandler().resolveSibling(".").normalize().toString(),
            (old, own) -> own + ":" + old);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private void gives(String pod, String nics) throws IOException {
    Files.createDirectories(run.resolve("pods"));
    Files.writeString(run.resolve("pods").resolve(pod), nics);
  }

  private boolean serves(String nic) {
    return Files.exists(run.resolve(nic + "/nacks"));
  }

  private static void terminate(Process process) throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/bin/sh", "/usr/bin/busybox sh"})
  void forOneNicItBecomesTheHandler(String shell) throws Exception {
    gives("uid-1", "cxi1\n");
    Process sidecar = start(shell, "uid-1");

    EVENTUALLY.until(() -> serves("cxi1"));
    assertThat(Files.readString(Path.of("/proc/%d/cmdline".formatted(sidecar.pid()))))
        .contains("cxi_rh\0--device=cxi1\0--log-stdout");
    assertThat(serves("cxi0")).isFalse();

    terminate(sidecar);
    assertThat(log).content().contains("cxi1: timeouts restored");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/bin/sh", "/usr/bin/busybox sh"})
  void forSeveralNicsItHasOneHandlerEachAndEndsThem(String shell) throws Exception {
    gives("uid-1", "cxi0\ncxi1\n");
    Process sidecar = start(shell, "uid-1");
    EVENTUALLY.until(() -> serves("cxi0") && serves("cxi1"));

    terminate(sidecar);

    EVENTUALLY.untilAsserted(
        () ->
            assertThat(log)
                .content()
                .contains("cxi0: timeouts restored", "cxi1: timeouts restored"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/bin/sh", "/usr/bin/busybox sh"})
  void ifOneOfSeveralCrashesTheContainerFails(String shell) throws Exception {
    gives("uid-1", "cxi0\ncxi1\n");
    Process sidecar = start(shell, "uid-1");
    EVENTUALLY.until(() -> serves("cxi0") && serves("cxi1"));

    sidecar
        .descendants()
        .filter(each -> commandLine(each).contains("--device=cxi0"))
        .filter(each -> commandLine(each).contains("cxi_rh\0"))
        .forEach(ProcessHandle::destroyForcibly);

    assertThat(sidecar.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(sidecar.exitValue()).isEqualTo(1);
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/%d/cmdline".formatted(process.pid())));
    } catch (IOException gone) {
      return "";
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/bin/sh", "/usr/bin/busybox sh"})
  void whoeverComesSecondWaitsForTheFirst(String shell) throws Exception {
    gives("uid-1", "cxi0\n");
    gives("uid-2", "cxi0\n");
    Process first = start(shell, "uid-1");
    EVENTUALLY.until(() -> serves("cxi0"));
    Process second = start(shell, "uid-2");
    EVENTUALLY.until(
        () -> second.descendants().anyMatch(each -> commandLine(each).contains("flock")));
    assertThat(commandLine(second.toHandle())).doesNotContain("cxi_rh\0--device");

    terminate(first);

    EVENTUALLY.until(() -> serves("cxi0"));
    assertThat(commandLine(second.toHandle())).contains("cxi_rh\0--device=cxi0");
    terminate(second);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/bin/sh", "/usr/bin/busybox sh"})
  void whoeverWaitsEndsAtOnceWhenAsked(String shell) throws Exception {
    gives("uid-1", "cxi0\n");
    gives("uid-2", "cxi0\n");
    start(shell, "uid-1");
    EVENTUALLY.until(() -> serves("cxi0"));
    Process second = start(shell, "uid-2");
    EVENTUALLY.until(
        () -> second.descendants().anyMatch(each -> commandLine(each).contains("flock")));

    terminate(second);
  }
}
