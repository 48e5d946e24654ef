package dev.drydock.testbed.realkubelet;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Checks whether containers can run on this machine, and finds the tools for it. */
final class ContainerHost {
  private static final Map<String, String> PACKAGE_OF_PROGRAM =
      Map.of(
          "bash", "bash",
          "containerd", "containerd",
          "containerd-shim-runc-v2", "containerd",
          "ctr", "containerd",
          "ip", "iproute2",
          "mount", "mount",
          "runc", "runc",
          "unshare", "util-linux");
  private static final List<String> CNI_PLUGINS = List.of("bridge", "host-local", "loopback");

  /** Debian's location of the CNI plugins, and the usual one. */
  private static final List<Path> CNI_FOLDERS =
      List.of(Path.of("/usr/lib/cni"), Path.of("/opt/cni/bin"));

  /** Tries everything that a node needs from the kernel, in namespaces that end with the script. */
  private static final String PROBE =
      """
      mount -t tmpfs tmpfs /tmp
      mkdir /tmp/lower /tmp/upper /tmp/work /tmp/all
      mount -t overlay overlay -o lowerdir=/tmp/lower,upperdir=/tmp/upper,workdir=/tmp/work /tmp/all
      ip link add probe type bridge
      ip link add probe0 type veth peer name probe1
      """;

  private ContainerHost() {}

  /** Why containers cannot run here, as one line that says what to do; empty if they can. */
  static Optional<String> unavailable() {
    try {
      return reason().map(reason -> "a real kubelet cannot run containers here: " + reason);
    } catch (IOException e) {
      throw new TestbedException("cannot find out whether containers can run here", e);
    }
  }

  private static Optional<String> reason() throws IOException {
    if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).equals("linux")) {
      return Optional.of("it needs Linux");
    }
    if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
      return Optional.of("only root may start them; run as root, for instance with sudo");
    }
    Set<String> packages = missingPackages();
    if (!packages.isEmpty()) {
      return Optional.of("it lacks packages, apt-get install " + String.join(" ", packages));
    }
    return NodeCgroup.unavailable().or(ContainerHost::refusedByKernel);
  }

  private static Set<String> missingPackages() {
    Set<String> packages = new TreeSet<>();
    PACKAGE_OF_PROGRAM.forEach(
        (program, name) -> {
          if (SystemCommand.find(program).isEmpty()) {
            packages.add(name);
          }
        });
    if (cniPlugins().isEmpty()) {
      packages.add("containernetworking-plugins");
    }
    if (SystemCommand.find("busybox").filter(ContainerImage::isStatic).isEmpty()) {
      packages.add("busybox-static");
    }
    return packages;
  }

  static Optional<Path> cniPlugins() {
    return CNI_FOLDERS.stream()
        .filter(folder -> CNI_PLUGINS.stream().map(folder::resolve).allMatch(Files::isExecutable))
        .findFirst();
  }

  private static Optional<String> refusedByKernel() {
    CommandResult probe =
        SystemCommand.run(
            "unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "bash", "-ec", PROBE);
    return probe.succeeded()
        ? Optional.empty()
        : Optional.of(
            "the kernel refused: %s; use a privileged container or a separate machine"
                .formatted(probe.standardError().strip().replace('\n', ' ')));
  }
}
