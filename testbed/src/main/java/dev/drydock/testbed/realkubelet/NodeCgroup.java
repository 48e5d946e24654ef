package dev.drydock.testbed.realkubelet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The parent cgroup of one node: its own programs are in {@code node}, its pods in {@code
 * kubepods}. The cleanup script finds all processes there.
 */
record NodeCgroup(String name) {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");

  /** Controllers without which the kubelet does not start. */
  private static final List<String> NEEDED = List.of("cpu", "cpuset", "memory", "pids");

  /** Controllers that the kubelet enables in its root cgroup if the kernel has them. */
  private static final List<String> WANTED = List.of("cpu", "cpuset", "memory", "pids", "hugetlb");

  void create() throws IOException {
    if (isVersion2()) {
      for (String controller : intersection(WANTED, words(MOUNT.resolve("cgroup.controllers")))) {
        if (!words(MOUNT.resolve("cgroup.subtree_control")).contains(controller)) {
          Files.writeString(MOUNT.resolve("cgroup.subtree_control"), "+" + controller);
        }
      }
      Files.createDirectories(MOUNT.resolve(name).resolve("node"));
      return;
    }
    for (Path hierarchy : hierarchies()) {
      Path root = Files.createDirectories(hierarchy.resolve(name));
      inheritCpus(root);
      inheritCpus(Files.createDirectories(root.resolve("node")));
    }
  }

  /** Why the kubelet cannot use cgroups on this machine, if so. */
  static Optional<String> unavailable() throws IOException {
    if (!isVersion2()) {
      return NEEDED.stream()
          .map(MOUNT::resolve)
          .filter(hierarchy -> !Files.isWritable(hierarchy.resolve("cgroup.procs")))
          .findFirst()
          .map(hierarchy -> "there is no writable cgroup hierarchy " + hierarchy);
    }
    Set<String> enabled = words(MOUNT.resolve("cgroup.subtree_control"));
    // only the real root cgroup has no type file; any other cgroup that contains processes, as in a
    // container, cannot delegate controllers
    boolean canEnable =
        Files.isWritable(MOUNT.resolve("cgroup.subtree_control"))
            && Files.notExists(MOUNT.resolve("cgroup.type"));
    Set<String> available = canEnable ? words(MOUNT.resolve("cgroup.controllers")) : enabled;
    return NEEDED.stream()
        .filter(controller -> !available.contains(controller))
        .findFirst()
        .map(controller -> "the cgroup controller '%s' is not available".formatted(controller));
  }

  private static boolean isVersion2() {
    return Files.exists(MOUNT.resolve("cgroup.controllers"));
  }

  /**
   * In version 1 each controller has its own hierarchy; some have a second name, a symbolic link.
   */
  private static List<Path> hierarchies() throws IOException {
    try (Stream<Path> entries = Files.list(MOUNT)) {
      return entries
          .filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
          .filter(entry -> Files.isWritable(entry.resolve("cgroup.procs")))
          .toList();
    }
  }

  /** A new cpuset of version 1 is empty and accepts no process until it is filled. */
  private static void inheritCpus(Path cgroup) throws IOException {
    for (String setting : List.of("cpuset.cpus", "cpuset.mems")) {
      Path file = cgroup.resolve(setting);
      if (Files.exists(file)) {
        Files.writeString(file, Files.readString(cgroup.resolveSibling(setting)));
      }
    }
  }

  private static Set<String> intersection(List<String> left, Set<String> right) {
    Set<String> both = new TreeSet<>(left);
    both.retainAll(right);
    return both;
  }

  private static Set<String> words(Path file) throws IOException {
    return Set.of(Files.readString(file).strip().split("\\s+", -1));
  }
}
