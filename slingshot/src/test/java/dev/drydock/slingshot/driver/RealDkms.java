package dev.drydock.slingshot.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.slingshot.node.HostPaths;
import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.TestbedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The DKMS, the compiler and the kernel headers of this machine, in a mount namespace of their own:
 * what is built and installed is in memory, and gone with it. Modules are not loaded: a recorder is
 * in the place of modprobe and rmmod.
 */
final class RealDkms implements AutoCloseable {
  /** Everything that an install may change, each below an overlay. */
  private static final String MOUNTS =
      """
      set -e
      mount -t tmpfs tmpfs "$1"
      for folder in /usr/lib/modules /usr/src /usr/include /var/lib /boot /etc; do
        mkdir -p "$1$folder/upper" "$1$folder/work"
        mount -t overlay overlay -o "lowerdir=$folder,upperdir=$1$folder/upper,workdir=$1$folder/work" "$folder"
      done
      mkdir -p /var/lib/cxi-driver
      echo ready
      exec cat
      """;

  private final Process namespace;
  private final FakeNics machine;
  private final Path programs;
  private final String kernel;

  private RealDkms(Process namespace, FakeNics machine, Path programs, String kernel) {
    this.namespace = namespace;
    this.machine = machine;
    this.programs = programs;
    this.kernel = kernel;
  }

  /** Skips the test if this machine has no DKMS, unless it is required. */
  static RealDkms start(Path folder) throws IOException {
    Optional<String> missing = missing();
    assumeTrue(missing.isEmpty() || ClusterExtension.isRequired(), missing.orElse(""));
    assertThat(missing).isEmpty();
    Path place = Files.createDirectories(folder.resolve("overlays"));
    Process process =
        new ProcessBuilder(
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "bash",
                "-c",
                MOUNTS,
                "mounts",
                place.toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said = process.inputReader()) {
      assertThat(said.readLine()).isEqualTo("ready");
    }
    String kernel = kernel().orElseThrow();
    FakeNics machine = FakeNics.create(folder.resolve("machine"), kernel, Clock.systemUTC());
    Files.writeString(machine.roots().proc().resolve("modules"), "");
    Path programs = Files.createDirectories(folder.resolve("programs"));
    for (String program : List.of("modprobe", "rmmod")) {
      Path recorder = folder.resolve("machine/usr/bin").resolve(program);
      Path wrapper = programs.resolve(program);
      Files.writeString(wrapper, "#!/bin/sh\nexec %s \"$@\"\n".formatted(recorder));
      assertThat(wrapper.toFile().setExecutable(true)).isTrue();
    }
    return new RealDkms(process, machine, programs, kernel);
  }

  private static Optional<String> missing() {
    for (String program :
        List.of("dkms", "make", "gcc", "nsenter", "unshare", "flock", "modinfo")) {
      if (!succeeds(List.of("which", program))) {
        return Optional.of("no real DKMS here: there is no " + program);
      }
    }
    if (kernel().isEmpty()) {
      return Optional.of("no real DKMS here: there are no kernel headers");
    }
    return succeeds(List.of("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"))
        ? Optional.empty()
        : Optional.of("no real DKMS here: nothing may be mounted");
  }

  private static boolean succeeds(List<String> command) {
    try {
      return CommandResult.run(command, Map.of(), "").succeeded();
    } catch (TestbedException missing) {
      return false;
    }
  }

  /** One whose headers are installed. */
  private static Optional<String> kernel() {
    return HostPaths.children(Path.of("/lib/modules")).stream()
        .filter(each -> Files.exists(each.resolve("build/include")))
        .map(HostPaths::name)
        .sorted()
        .findFirst();
  }

  /** One whose headers are there. */
  String headedKernel() {
    return kernel;
  }

  /** A machine whose running kernel is that one; modules are only said to be loaded. */
  FakeNics machine() {
    return machine;
  }

  Path root() {
    return Path.of("/proc", Long.toString(namespace.pid()), "root");
  }

  AgentFolders folders() {
    HostRoots fake = machine.roots();
    HostRoots host = HostRoots.below(root());
    return AgentFolders.below(
        root(),
        new HostRoots(
            fake.sys(), fake.proc(), fake.dev(), host.modules(), host.sources(), fake.runCxi()));
  }

  HostCommand command() {
    return HostCommand.words(
        List.of(
            "nsenter",
            "--target",
            Long.toString(namespace.pid()),
            "--mount",
            "--",
            "env",
            "PATH=" + programs + ":/usr/sbin:/usr/bin:/sbin:/bin"));
  }

  HostTools tools(Path temporary) {
    return new ProcessTools(command(), temporary);
  }

  /** By hand, as an administrator would. */
  CommandResult run(String... words) {
    List<String> all = new ArrayList<>();
    try {
      all.addAll(command().words());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    all.addAll(List.of(words));
    return CommandResult.run(all, Map.of(), "");
  }

  /** What modprobe and rmmod were called with. */
  List<String> loads() throws IOException {
    Path file = machine.roots().proc().resolveSibling("run/modules.log");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  @Override
  public void close() {
    namespace.descendants().forEach(ProcessHandle::destroyForcibly);
    namespace.destroyForcibly();
    namespace.onExit().join();
  }
}
