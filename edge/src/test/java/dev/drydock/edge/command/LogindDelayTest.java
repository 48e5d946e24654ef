package dev.drydock.edge.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drydock.kube.Kube;
import dev.drydock.testbed.Guardian;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.LoopBug;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** systemd's own programs against a logind on a bus of the test: python3-dbusmock's. */
class LogindDelayTest {
  private static final String PYTHON = "/usr/bin/python3";

  @TempDir private Path folder;
  private Guardian guardian;

  /** What is started ends with the test, even if that is killed. */
  @BeforeEach
  void guard() throws IOException {
    guardian = Guardian.of(Files.createDirectory(folder.resolve("guarded")));
  }

  @AfterEach
  void end() {
    guardian.close();
  }

  @Test
  void onlyAShutdownThatBeginsCounts() {
    String signal =
        "{\"type\":\"signal\",\"endian\":\"l\",\"interface\":\"org.freedesktop.login1.Manager\","
            + "\"member\":\"%s\",\"payload\":{\"type\":\"b\",\"data\":[%s]}}";
    assertThat(LogindDelay.isShutdown(signal.formatted("PrepareForShutdown", "true"))).isTrue();
    assertThat(LogindDelay.isShutdown(signal.formatted("PrepareForShutdown", "false"))).isFalse();
    assertThat(LogindDelay.isShutdown(signal.formatted("PrepareForSleep", "true"))).isFalse();
    assertThat(LogindDelay.isShutdown("Monitoring bus message stream.")).isFalse();
  }

  private Process start(Map<String, String> environment, Path output, String... command)
      throws IOException {
    return guardian.start(List.of(command), environment, output);
  }

  private boolean succeeds(Map<String, String> environment, String... command) {
    try {
      return start(environment, folder.resolve("tried"), command).waitFor() == 0;
    } catch (IOException | InterruptedException missing) {
      return false;
    }
  }

  @Test
  void aShutdownIsHeardAndHeldUpUntilItIsReleased() throws IOException {
    boolean here =
        succeeds(Map.of(), PYTHON, "-c", "import dbusmock")
            && succeeds(Map.of(), "busctl", "--version")
            && succeeds(Map.of(), "dbus-daemon", "--version");
    boolean required = Boolean.parseBoolean(System.getenv("DRYDOCK_REQUIRE_CLUSTER"));
    assumeTrue(here || required, "no python3-dbusmock, dbus-daemon or busctl on this machine");
    String address = "unix:path=" + folder.resolve("bus");
    Map<String, String> bus =
        Map.of("DBUS_SYSTEM_BUS_ADDRESS", address, "DBUS_SESSION_BUS_ADDRESS", address);
    var _ =
        start(
            bus,
            folder.resolve("daemon.log"),
            "dbus-daemon",
            "--session",
            "--address=" + address,
            "--nofork",
            "--nopidfile");
    Eventually.inRealTime().until(() -> Files.exists(folder.resolve("bus")));
    Path calls = folder.resolve("logind.log");
    var _ = start(bus, calls, PYTHON, "-m", "dbusmock", "--system", "--template", "logind");
    Eventually.inRealTime()
        .until(() -> succeeds(bus, "busctl", "--system", "status", "org.freedesktop.login1"));
    AtomicInteger shutdowns = new AtomicInteger();
    List<String> command = new ArrayList<>(List.of("env", "DBUS_SYSTEM_BUS_ADDRESS=" + address));
    command.addAll(LogindDelay.COMMAND);
    try (Kube kube = NoServer.kube();
        LogindDelay delay = new LogindDelay(kube, command, shutdowns::incrementAndGet)) {
      delay.start();
      Eventually.inRealTime()
          .until(() -> Files.readString(calls).contains("Inhibit \"shutdown\" \"drydock\""));
      Eventually.inRealTime()
          .until(
              () -> {
                assertThat(
                        succeeds(
                            bus,
                            "busctl",
                            "--system",
                            "call",
                            "org.freedesktop.login1",
                            "/org/freedesktop/login1",
                            "org.freedesktop.DBus.Mock",
                            "EmitSignal",
                            "sssav",
                            "org.freedesktop.login1.Manager",
                            "PrepareForShutdown",
                            "b",
                            "1",
                            "b",
                            "true"))
                    .isTrue();
                return shutdowns.get() > 0;
              });
      assertThat(delay.isHeld()).isTrue();
      delay.release();
      assertThat(delay.isHeld()).isFalse();
    }
  }

  @Test
  void aBugAboutOneLockHoldsUpNoOther() {
    LoopBug bug = new LoopBug();
    List<String> sleeps = List.of("sleep", "600");
    List<String> buggy =
        new AbstractList<>() {
          @Override
          public String get(int index) {
            bug.strike();
            return sleeps.get(index);
          }

          @Override
          public int size() {
            return sleeps.size();
          }
        };
    try (Kube kube = NoServer.kube();
        LogindDelay bad = new LogindDelay(kube, buggy, () -> {});
        LogindDelay good = new LogindDelay(kube, sleeps, () -> {})) {
      bad.start();
      good.start();

      bug.staysIn(
          "edge-logind",
          kube,
          Eventually.inRealTime(),
          () -> {
            assertThat(good.isHeld()).isTrue();
            assertThat(bad.isHeld()).isFalse();
          },
          () -> assertThat(bad.isHeld()).isTrue());
    }
  }
}
