package dev.drydock.slingshot.node;

import dev.drydock.slingshot.node.decide.CxiNic;
import dev.drydock.slingshot.node.decide.RetryHandlerProcess;
import dev.drydock.slingshot.node.decide.RetryStatistics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The {@code cxi_rh} processes of a node, whoever started them. They are seen only with the host's
 * process IDs.
 */
public final class RunningRetryHandlers {
  private static final String PROGRAM = "cxi_rh";
  private static final int ROOT = 0;
  private static final Path SELF = Path.of("/proc/self");

  /** In the name of a group of a pod's processes, whatever the kubelet's driver of groups is. */
  private static final Pattern POD = Pattern.compile("pod[0-9a-f]{8}[-_][0-9a-f]{4}[-_]");

  private static final String DEVICE = "--device=";
  private static final String CONFIGURATION = "--conf=";

  private final HostRoots roots;

  public RunningRetryHandlers(HostRoots roots) {
    this.roots = roots;
  }

  /** The handlers by NIC; if a NIC has several, the one with the lowest process ID. */
  public Map<String, RetryHandlerProcess> all() {
    Map<String, RetryHandlerProcess> all = new TreeMap<>();
    for (Path process : HostPaths.children(roots.proc())) {
      String pid = HostPaths.name(process);
      if (pid.matches("\\d{1,18}")) {
        HostFile.bytes(process.resolve("cmdline"))
            .flatMap(bytes -> read(Long.parseLong(pid), bytes))
            .filter(found -> isGenuine(process, found.device()))
            .ifPresent(
                found ->
                    all.merge(
                        found.device(),
                        found,
                        (one, other) -> one.pid() <= other.pid() ? one : other));
      }
    }
    return all;
  }

  /**
   * Anybody can call a process so, also in a pod that has no device. A handler of a pod has the
   * lock of its NIC, which is a file of the host; one of the host is root's.
   */
  private boolean isGenuine(Path process, String nic) {
    boolean ofPod =
        HostFile.text(process.resolve("cgroup"))
            .filter(groups -> POD.matcher(groups).find())
            .isPresent();
    return ofPod ? hasOpen(process, roots.lock(nic)) : isPrivileged(process);
  }

  private static boolean hasOpen(Path process, Path file) {
    return HostPaths.children(process.resolve("fd")).stream()
        .anyMatch(
            descriptor -> {
              try {
                return Files.isSameFile(descriptor, file);
              } catch (IOException closed) {
                return false;
              }
            });
  }

  private static boolean isPrivileged(Path process) {
    try {
      Object owner = Files.getAttribute(process, "unix:uid");
      return owner.equals(ROOT) || owner.equals(Files.getAttribute(SELF, "unix:uid"));
    } catch (IOException ended) {
      return false;
    }
  }

  private static Optional<RetryHandlerProcess> read(long pid, byte[] commandLine) {
    List<String> words = List.of(new String(commandLine, StandardCharsets.UTF_8).split("\0", -1));
    // a script is run by its interpreter
    int program = -1;
    for (int i = 0; i < Math.min(2, words.size()); i++) {
      if (words.get(i).equals(PROGRAM) || words.get(i).endsWith("/" + PROGRAM)) {
        program = i;
      }
    }
    if (program < 0) {
      return Optional.empty();
    }
    List<String> flags = words.subList(program + 1, words.size());
    return value(flags, DEVICE)
        .filter(device -> CxiNic.NAME.matcher(device).matches())
        .map(
            device ->
                new RetryHandlerProcess(
                    pid,
                    device,
                    value(flags, CONFIGURATION)
                        .map(file -> file.substring(file.lastIndexOf('/') + 1))));
  }

  private static Optional<String> value(List<String> flags, String name) {
    return flags.stream()
        .filter(flag -> flag.startsWith(name))
        .map(flag -> flag.substring(name.length()))
        .findFirst();
  }

  /** Its statistics are mounted in its own container, if it has one. */
  public Optional<RetryStatistics> statistics(RetryHandlerProcess handler) {
    Path own = roots.proc().resolve(handler.pid() + "/root/run/cxi").resolve(handler.device());
    return statistics(own).or(() -> statistics(roots.runCxi().resolve(handler.device())));
  }

  /** One integer per file of a folder that the handler serves; empty if none does. */
  public static Optional<RetryStatistics> statistics(Path folder) {
    Map<String, Long> values = new TreeMap<>();
    for (Path file : HostPaths.children(folder)) {
      if (!Files.isRegularFile(file)) {
        continue; // settings; opening a pipe would wait for its writer
      }
      OptionalLong value = HostFile.number(file);
      if (value.isPresent()) {
        values.put(HostPaths.name(file), value.getAsLong());
      }
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(new RetryStatistics(values));
  }
}
