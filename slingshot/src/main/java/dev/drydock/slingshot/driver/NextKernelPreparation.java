package dev.drydock.slingshot.driver;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.driver.decide.DriverTask;
import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.slingshot.driver.decide.NextKernels;
import dev.drydock.slingshot.driver.decide.NextKernels.Readiness;
import dev.drydock.slingshot.node.HostPaths;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Puts the driver into kernels that are installed and not booted, before anybody reboots, and says
 * on the Node if a reboot would leave it without its driver.
 */
final class NextKernelPreparation {
  /** Headers may be installed and caches filled meanwhile; what does not compile will not soon. */
  private static final Duration SOON = Duration.ofMinutes(10);

  private static final Duration LATER = Duration.ofHours(6);

  private final AgentFolders folders;
  private final AgentNode node;
  private final DriverTasks tasks;
  private final DriverInstaller installer;
  private final Clock clock;

  /** Looked at since this time, by revision and kernel. */
  private final Map<String, Looked> looked = new ConcurrentHashMap<>();

  private record Looked(Readiness readiness, Instant at) {
    boolean isDue(Instant now) {
      boolean hopeless =
          readiness instanceof Readiness.Missing missing
              && missing.reason() == FailureReason.BuildFailed;
      boolean lasts = readiness instanceof Readiness.Ready || hopeless;
      return !at.plus(lasts ? LATER : SOON).isAfter(now);
    }
  }

  NextKernelPreparation(
      AgentFolders folders,
      AgentNode node,
      DriverTasks tasks,
      DriverInstaller installer,
      Clock clock) {
    this.folders = folders;
    this.node = node;
    this.tasks = tasks;
    this.installer = installer;
    this.clock = clock;
  }

  /** Begins with the next kernel that has to be looked at, and tells what is known. */
  void look(ApiObject own, DriverTarget target, String running) {
    List<String> kernels = NextKernels.order(installed(), running);
    Map<String, Readiness> known = new HashMap<>();
    Optional<String> next = Optional.empty();
    for (String kernel : kernels) {
      Looked before = looked.get(key(target, kernel));
      known.put(kernel, before == null ? new Readiness.Pending() : before.readiness());
      boolean due = before == null || before.isDue(clock.instant());
      next = next.isEmpty() && due ? Optional.of(kernel) : next;
    }
    NextKernels.condition(known, running)
        .ifPresent(
            said ->
                node.condition(
                    own,
                    Conditions.Condition.of(
                        CxiNames.DRIVER_MISSING, said.missing(), said.reason(), said.message())));
    next.ifPresent(kernel -> prepare(target, kernel));
  }

  private static String key(DriverTarget target, String kernel) {
    return target.revision() + " " + kernel;
  }

  /** A folder of headers alone is no kernel. */
  private List<String> installed() {
    return HostPaths.children(folders.roots().modules()).stream()
        .filter(
            kernel ->
                List.of("modules.builtin", "modules.order", "kernel", "vmlinuz").stream()
                    .map(kernel::resolve)
                    .anyMatch(Files::exists))
        .map(HostPaths::name)
        .filter(name -> !name.startsWith("."))
        .toList();
  }

  private void prepare(DriverTarget target, String kernel) {
    tasks.start(
        new DriverTask(DriverTask.Kind.PREPARE, target.revision(), kernel),
        step ->
            looked.put(
                key(target, kernel), new Looked(readiness(target, kernel, step), clock.instant())));
  }

  private Readiness readiness(DriverTarget target, String kernel, Consumer<String> step) {
    try {
      return installer.install(target, kernel, step).isPresent()
          ? new Readiness.Ready()
          : new Readiness.Missing(
              FailureReason.NotPreinstalled, "the host has no module cxi_ss1 for it");
    } catch (InstallFailure failure) {
      return failure.reason() == FailureReason.Busy
          ? new Readiness.Pending()
          : new Readiness.Missing(failure.reason(), failure.getMessage());
    }
  }
}
