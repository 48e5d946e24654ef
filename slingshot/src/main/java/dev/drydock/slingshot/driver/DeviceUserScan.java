package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.driver.decide.ModuleUsers;
import dev.drydock.slingshot.driver.decide.ModuleUsers.DeviceProcess;
import dev.drydock.slingshot.node.HostFile;
import dev.drydock.slingshot.node.HostPaths;
import dev.drydock.slingshot.node.LoadedModules;
import dev.drydock.slingshot.node.RunningRetryHandlers;
import dev.drydock.slingshot.node.decide.CxiNic;
import dev.drydock.slingshot.node.decide.LoadedModule;
import dev.drydock.slingshot.node.decide.RetryHandlerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who would be cut off if the driver's modules were unloaded. Needs the host's process IDs. */
final class DeviceUserScan {
  private static final Pattern DEVICE = Pattern.compile(".*/(" + CxiNic.NAME + ")");

  /** Both the systemd and the cgroupfs driver of a kubelet name the pod in the group. */
  private static final Pattern POD =
      Pattern.compile(
          "pod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12})");

  private final AgentFolders folders;
  private final DeviceUsers allocated;
  private final RunningRetryHandlers handlers;
  private final LoadedModules modules;

  /**
   * @param allocated the pods that devices are allocated to
   */
  DeviceUserScan(AgentFolders folders, DeviceUsers allocated) {
    this.folders = folders;
    this.allocated = allocated;
    handlers = new RunningRetryHandlers(folders.roots());
    modules = new LoadedModules(folders.roots());
  }

  ModuleUsers scan() {
    Set<Long> retrying = new LinkedHashSet<>();
    handlers.all().values().stream().map(RetryHandlerProcess::pid).forEach(retrying::add);
    List<DeviceProcess> processes = new ArrayList<>();
    for (Path process : HostPaths.children(folders.roots().proc())) {
      String pid = HostPaths.name(process);
      if (pid.matches("\\d{1,18}") && !retrying.contains(Long.parseLong(pid))) {
        openDevice(process)
            .ifPresent(device -> processes.add(describe(process, Long.parseLong(pid), device)));
      }
    }
    Optional<List<String>> pods = allocated.podsWithDevices();
    return new ModuleUsers(
        List.copyOf(processes),
        pods.orElse(List.of()),
        pods.isEmpty() ? "the kubelet does not say which pods have devices" : "",
        List.copyOf(retrying),
        otherModules());
  }

  private static Optional<String> openDevice(Path process) {
    return HostPaths.children(process.resolve("fd")).stream()
        .map(DeviceUserScan::target)
        .map(DEVICE::matcher)
        .filter(Matcher::matches)
        .map(device -> device.group(1))
        .findFirst();
  }

  /** Empty for a descriptor that was closed meanwhile. */
  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closed) {
      return "";
    }
  }

  private DeviceProcess describe(Path process, long pid, String device) {
    return new DeviceProcess(
        pid,
        HostFile.text(process.resolve("comm")).orElse("unknown"),
        device,
        HostFile.text(process.resolve("cgroup")).flatMap(this::pod).orElse(""));
  }

  private Optional<String> pod(String groups) {
    Matcher found = POD.matcher(groups);
    if (!found.find()) {
      return Optional.empty();
    }
    String uid = found.group(1).replace('_', '-');
    // NAMESPACE_NAME_UID
    return Optional.of(
        HostPaths.children(folders.podLogs()).stream()
            .map(HostPaths::name)
            .map(name -> name.split("_", -1))
            .filter(parts -> parts.length == 3 && parts[2].equals(uid))
            .map(parts -> parts[0] + "/" + parts[1])
            .findFirst()
            .orElse(uid));
  }

  /** Modules of others, such as file systems, that need one of the driver's. */
  private List<String> otherModules() {
    Map<String, LoadedModule> all = modules.all();
    Set<String> ours = new HashSet<>(LoadedModules.DRIVER);
    ours.addAll(LoadedModules.LINK);
    Set<String> others = new LinkedHashSet<>();
    all.values().stream()
        .filter(module -> ours.contains(module.name()))
        .flatMap(module -> module.holders().stream())
        .filter(holder -> !ours.contains(holder))
        .sorted()
        .forEach(others::add);
    return List.copyOf(others);
  }
}
