package dev.drydock.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.Guardian;
import dev.drydock.testbed.TestbedException;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A machine with a real systemd, D-Bus and logind, in a container: powering it off ends the
 * container and nothing else.
 */
final class LogindContainer implements AutoCloseable {
  private static final String SUITE = "bookworm";
  private static final Path CACHE =
      Path.of(System.getProperty("user.home"), ".cache", "drydock", "logind-" + SUITE);

  /** The root is shared and stays as it is: changes are in memory, and gone with the container. */
  private static final String BOOT =
      """
      mount -t tmpfs tmpfs "$2" && mkdir "$2/upper" "$2/work" "$2/root" &&
      mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root" &&
      mkdir -p "$2/root/etc/systemd/logind.conf.d" && cp "$3" "$2/root/etc/systemd/logind.conf.d/" &&
      mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system &&
      exec systemd-nspawn --quiet -D "$2/root" -b --register=no --keep-unit --private-network \
        --machine="$4" --console=pipe
      """;

  private final Guardian guardian;
  private final Process container;

  private LogindContainer(Guardian guardian, Process container) {
    this.guardian = guardian;
    this.container = container;
  }

  /** Why there is none on this machine, if so. */
  static Optional<String> missing() {
    for (String program : List.of("systemd-nspawn", "mmdebstrap", "nsenter", "unshare")) {
      if (!succeeds(List.of("which", program))) {
        return Optional.of("no real logind here: there is no " + program);
      }
    }
    return succeeds(List.of("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"))
        ? Optional.empty()
        : Optional.of("no real logind here: nothing may be mounted");
  }

  private static boolean succeeds(List<String> command) {
    try {
      return CommandResult.run(command, Map.of(), "").succeeded();
    } catch (TestbedException missing) {
      return false;
    }
  }

  /**
   * Returns when logind is on the bus.
   *
   * @param settings a drop-in of logind.conf
   */
  static LogindContainer start(Path folder, Path settings) {
    try {
      Path place = Files.createDirectory(folder.resolve("machine"));
      // ends the container also if this process is killed
      Guardian guardian = Guardian.of(Files.createDirectory(folder.resolve("guarded")));
      Process process =
          guardian.start(
              List.of(
                  "unshare",
                  "--mount",
                  "--propagation",
                  "private",
                  "bash",
                  "-c",
                  BOOT,
                  "boot",
                  root().toString(),
                  place.toString(),
                  settings.toAbsolutePath().toString(),
                  "drydock-" + ProcessHandle.current().pid()),
              Map.of(),
              folder.resolve("machine.log"));
      LogindContainer machine = new LogindContainer(guardian, process);
      boolean started = false;
      try {
        Eventually.inRealTime()
            .untilAsserted(
                () ->
                    assertThat(machine.run("busctl", "status", "org.freedesktop.login1"))
                        .as(Files.readString(folder.resolve("machine.log")))
                        .contains("systemd-logind"));
        started = true;
        return machine;
      } finally {
        if (!started) {
          machine.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Made once; of two that make it at the same time, one is kept. */
  private static Path root() throws IOException {
    if (Files.exists(CACHE)) {
      return CACHE;
    }
    Files.createDirectories(CACHE.resolveSibling("."));
    Path made = Files.createTempDirectory(CACHE.resolveSibling("."), "logind-");
    var _ =
        CommandResult.run(
                List.of(
                    "mmdebstrap",
                    "--quiet",
                    "--variant=minbase",
                    "--include=systemd-sysv,dbus,systemd,procps",
                    SUITE,
                    made.toString()),
                Map.of(),
                "")
            .output();
    try {
      return Files.move(made, CACHE);
    } catch (FileAlreadyExistsException other) {
      var _ = CommandResult.run(List.of("rm", "-rf", made.toString()), Map.of(), "").output();
      return CACHE;
    }
  }

  boolean isRunning() {
    return container.isAlive();
  }

  /** The command as it is run inside. */
  List<String> inside(List<String> command) {
    List<String> all =
        new ArrayList<>(List.of("nsenter", "-t", Long.toString(init()), "-a", "-r", "-w"));
    all.addAll(command);
    return all;
  }

  String run(String... command) {
    return CommandResult.run(inside(List.of(command)), Map.of(), "").output();
  }

  /** The container's process 1. */
  private long init() {
    return container
        .descendants()
        .filter(each -> isFirst(each.pid()))
        .mapToLong(ProcessHandle::pid)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFirst(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
          .anyMatch(line -> line.matches("NSpid:(\\s+\\d+)+\\s+1"));
    } catch (IOException gone) {
      return false;
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> all = container.descendants().toList();
    container.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    try {
      assertThat(container.waitFor(1, TimeUnit.MINUTES)).as("the container ends").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    guardian.close();
  }
}
