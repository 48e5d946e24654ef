package dev.drydock.slingshot.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.slingshot.node.DriverUpdateMarker;
import dev.drydock.slingshot.node.HandlerQuarantine;
import dev.drydock.slingshot.node.UnservedNics;
import dev.drydock.slingshot.node.decide.HandlerAbsence;
import dev.drydock.slingshot.node.decide.RetryStatistics;
import dev.drydock.slingshot.retry.decide.HandlerReason;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The supervisor with real processes: a cxi_rh that accepts what the vendor's accepts. */
class RetrySupervisorTest {
  private static final Eventually EVENTUALLY = Eventually.inRealTime();
  private static final Duration POLL = Duration.ofMillis(100);

  private final FakeNics machine;
  private @Nullable RetrySupervisor supervisor;

  RetrySupervisorTest(@TempDir Path folder) throws IOException {
    machine = FakeNics.create(folder, FakeNics.KERNEL, Clock.systemUTC());
    machine.add(FakeNic.numbered(0));
    machine.add(FakeNic.numbered(1));
  }

  @AfterEach
  void stop() {
    if (supervisor != null) {
      supervisor.close();
    }
  }

  private HandlerLauncher launcher() {
    return new HandlerLauncher(
        machine.roots(), machine.retryHandler(), Optional.empty(), Optional.empty());
  }

  private RetrySupervisor start(CrashAction policy, String... named) throws IOException {
    RetrySupervisor next =
        new RetrySupervisor(
            new LoopFactory(TimeSource.REAL),
            new RetrySupervisor.Settings(launcher(), policy, List.of(named), POLL));
    supervisor = next;
    next.start();
    return next;
  }

  private static Optional<HandlerStatus> status(RetrySupervisor of, String nic) {
    return of.status().stream().filter(each -> each.device().equals(nic)).findFirst();
  }

  private static HandlerStatus await(
      RetrySupervisor of, String nic, Predicate<HandlerStatus> condition) {
    return EVENTUALLY
        .until(() -> status(of, nic), found -> found.filter(condition).isPresent())
        .orElseThrow();
  }

  /** The handler itself, and not the shell that starts it; it has written all its files. */
  private HandlerStatus awaitServing(RetrySupervisor of, String nic) {
    return await(
        of,
        nic,
        each ->
            each.reason() == HandlerReason.Running
                && Files.exists(machine.roots().runCxi().resolve(nic + "/config/max_spt_retries")));
  }

  private static void kill(HandlerStatus handler, String signal) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, Long.toString(handler.pid().orElseThrow()))
            .inheritIO()
            .start();
    assertThat(kill.waitFor(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void eachNicHasAHandlerWhichEndsWellWithTheSupervisor() throws IOException {
    RetrySupervisor running = start(CrashAction.restart);
    long pid = awaitServing(running, "cxi0").pid().orElseThrow();
    awaitServing(running, "cxi1");
    assertThat(running.missing()).isEmpty();
    String commandLine = Files.readString(Path.of("/proc/%d/cmdline".formatted(pid)));
    assertThat(commandLine.split("\0", -1))
        .as("the vendor's program is told the name of the device and not its path")
        .contains("--device=cxi0", "--log-stdout");

    running.close();

    assertThat(ProcessHandle.of(pid)).isEmpty();
    assertThat(machine.roots().runCxi().resolve("cxi0"))
        .as("removed by a handler that was asked to end")
        .doesNotExist();
    assertThat(machine.roots().runCxi().resolve("cxi0.running")).doesNotExist();
  }

  @Test
  void statisticsAreThoseOfTheHandler() throws IOException {
    RetrySupervisor running = start(CrashAction.restart);
    awaitServing(running, "cxi0");

    // the counter that the test waits for comes last: the supervisor may read after any of them
    machine.set("cxi0", "rh/spt_in_use", "4");
    machine.set("cxi0", "rh/nacks", "1200");
    machine.set("cxi0", "rh/spt_timeouts", "323");

    RetryStatistics statistics =
        Eventually.inRealTime()
            .until(
                () -> status(running, "cxi0").flatMap(HandlerStatus::statistics),
                found -> found.filter(each -> each.total() == 1523).isPresent())
            .orElseThrow();
    assertThat(statistics.pending()).isEqualTo(4);
    assertThat(StatusPage.text(running.status()))
        .contains(
            "\"device\":\"cxi0\",\"running\":true",
            "\"totalRetries\":1523",
            "\"nackRetries\":1200",
            "\"timeoutRetries\":323",
            "\"pendingRetries\":4",
            "\"healthy\":true");
  }

  @Test
  void aNicThatComesIsServedAndOneThatGoesIsNot() throws IOException {
    RetrySupervisor running = start(CrashAction.restart);
    awaitServing(running, "cxi0");

    machine.add(FakeNic.numbered(2));
    awaitServing(running, "cxi2");
    machine.remove("cxi0");

    EVENTUALLY.until(() -> status(running, "cxi0").isEmpty());
    EVENTUALLY.until(() -> Files.notExists(machine.roots().runCxi().resolve("cxi0/nacks")));
  }

  @Test
  void onANodeWithoutNicsThereIsNothingToDo() throws IOException {
    machine.remove("cxi0");
    machine.remove("cxi1");

    RetrySupervisor running = start(CrashAction.restart);

    EVENTUALLY.until(() -> running.missing().isEmpty());
    assertThat(StatusPage.text(running.status())).isEqualTo("{\"handlers\":[],\"healthy\":true}\n");
  }

  @Test
  void onlyTheNamedNicsAreServed() throws IOException {
    RetrySupervisor running = start(CrashAction.restart, "cxi1");

    awaitServing(running, "cxi1");
    assertThat(status(running, "cxi0")).isEmpty();
  }

  @Test
  void aHandlerThatCrashesIsStartedAgain() throws Exception {
    RetrySupervisor running = start(CrashAction.restart);
    HandlerStatus first = awaitServing(running, "cxi0");

    kill(first, "KILL");

    HandlerStatus second =
        await(
            running,
            "cxi0",
            each -> each.reason() == HandlerReason.Running && !each.pid().equals(first.pid()));
    assertThat(second.restarts()).isEqualTo(1);
    assertThat(status(running, "cxi1").orElseThrow().restarts()).isZero();
  }

  @Test
  void aHandlerThatEndsWellUnaskedHasCrashed() throws Exception {
    RetrySupervisor running = start(CrashAction.restart);
    HandlerStatus first = awaitServing(running, "cxi0");

    kill(first, "TERM");

    await(running, "cxi0", each -> each.restarts() == 1);
  }

  @Test
  void inQuarantineItIsNotStartedAgainNotEvenByTheNextSupervisor() throws Exception {
    RetrySupervisor running = start(CrashAction.quarantine);
    kill(awaitServing(running, "cxi0"), "SEGV");

    await(running, "cxi0", each -> each.reason() == HandlerReason.Quarantined);
    assertThat(new HandlerQuarantine(machine.roots()).reason("cxi0").orElseThrow())
        .startsWith("cxi_rh was killed by signal 11");
    awaitServing(running, "cxi1");
    assertThat(running.missing()).singleElement().asString().startsWith("cxi0: Quarantined");
    running.close();
    assertThat(machine.roots().runCxi().resolve("cxi0.running")).doesNotExist();

    RetrySupervisor next = start(CrashAction.quarantine);
    await(next, "cxi0", each -> each.reason() == HandlerReason.Quarantined);

    Files.delete(new HandlerQuarantine(machine.roots()).file("cxi0"));
    awaitServing(next, "cxi0");
  }

  @Test
  void aHandlerThatWasKilledWithItsSupervisorLeadsToQuarantine() throws IOException {
    Files.createDirectories(machine.roots().runCxi());
    Files.writeString(machine.roots().runCxi().resolve("cxi0.running"), "");

    RetrySupervisor running = start(CrashAction.quarantine);

    await(running, "cxi0", each -> each.reason() == HandlerReason.Quarantined);
    awaitServing(running, "cxi1");
  }

  @Test
  void twoSupervisorsRunOneHandler() throws IOException {
    RetrySupervisor first = start(CrashAction.restart);
    HandlerStatus serving = awaitServing(first, "cxi0");
    String pid = Long.toString(serving.pid().orElseThrow());
    Files.createSymbolicLink(machine.roots().proc().resolve(pid), Path.of("/proc", pid));
    RetrySupervisor second =
        new RetrySupervisor(
            new LoopFactory(TimeSource.REAL),
            new RetrySupervisor.Settings(
                launcher(), CrashAction.quarantine, List.of("cxi0"), POLL));
    try (second) {
      second.start();

      HandlerStatus other =
          await(second, "cxi0", each -> each.reason() == HandlerReason.RunningElsewhere);
      assertThat(other.message()).isEqualTo("process %s of the node serves it".formatted(pid));
      assertThat(other.restarts()).isZero();
      assertThat(second.missing()).as("one runs, and that is all that counts").isEmpty();
      assertThat(ProcessHandle.of(serving.pid().orElseThrow())).isPresent();
    }
    assertThat(status(first, "cxi0").orElseThrow().reason()).isEqualTo(HandlerReason.Running);
  }

  /** It has the lock, as all that cxi_rh starts has, and serves nothing. */
  @Test
  void whatACrashedHandlerLeavesBehindServesNothing() throws IOException {
    Path left = machine.roots().runCxi().resolve("left");
    Files.writeString(
        machine.retryHandler(),
        "#!/bin/sh\nsleep 600 >/dev/null 2>&1 &\necho $! >%s\nexit 3\n".formatted(left));

    RetrySupervisor running = start(CrashAction.restart, "cxi0");

    try {
      await(running, "cxi0", each -> each.reason() == HandlerReason.Locked);
      assertThat(running.missing())
          .containsExactly(
              "cxi0: Locked: a process that is no retry handler has the lock of this device; fuser names it");
    } finally {
      ProcessHandle.of(Long.parseLong(Files.readString(left).strip()))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void aMissingProgramIsNamed() throws IOException {
    Files.delete(machine.retryHandler());

    RetrySupervisor running = start(CrashAction.quarantine);

    await(running, "cxi0", each -> each.reason() == HandlerReason.RetryHandlerBinaryMissing);
    EVENTUALLY.untilAsserted(
        () ->
            assertThat(running.missing())
                .hasSize(2)
                .allMatch(line -> line.contains("--cxi-rh-path")));
    EVENTUALLY.untilAsserted(
        () ->
            assertThat(new UnservedNics(machine.roots()).find("cxi0"))
                .as("what the driver agent makes a condition of")
                .contains(
                    new HandlerAbsence(
                        "RetryHandlerBinaryMissing",
                        "there is no cxi_rh: install it, or name it with --cxi-rh-path")));
  }

  @Test
  void whileTheDriverIsReplacedNoHandlerRuns() throws IOException {
    RetrySupervisor running = start(CrashAction.quarantine);
    awaitServing(running, "cxi0");
    DriverUpdateMarker update = new DriverUpdateMarker(machine.roots());

    update.set("1.8.3 to 1.9.0");
    await(
        running,
        "cxi0",
        each -> each.reason() == HandlerReason.DriverUpdate && each.pid().isEmpty());

    update.clear();
    assertThat(awaitServing(running, "cxi0").restarts()).isZero();
    assertThat(new UnservedNics(machine.roots()).find("cxi0")).isEmpty();
  }

  @Test
  void withoutItsDeviceFileNoHandlerStarts() throws IOException {
    Files.delete(machine.roots().device("cxi0"));

    RetrySupervisor running = start(CrashAction.restart);

    await(running, "cxi0", each -> each.reason() == HandlerReason.DeviceFileMissing);
  }
}
