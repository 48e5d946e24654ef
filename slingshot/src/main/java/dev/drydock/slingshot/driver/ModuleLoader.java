package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.slingshot.driver.decide.ModuleState;
import dev.drydock.slingshot.driver.decide.ModuleUsers;
import dev.drydock.slingshot.node.LoadedModules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Loads and unloads the driver's modules. The kernel itself refuses to unload what is in use. */
final class ModuleLoader {
  /** Users of a module first. */
  private static final List<String> UNLOADED =
      List.of("cxi_eth", "cxi_user", "cxi_ss1", "cxi_sl", "cxi_sbl", "sl", "sbl");

  private static final List<String> REQUIRED = List.of("cxi_ss1", "cxi_user");

  private final HostTools tools;
  private final LoadedModules modules;
  private final LoadRecord record;
  private final Supplier<ModuleUsers> users;

  /**
   * @param users looked for again at the last moment
   */
  ModuleLoader(
      HostTools tools, LoadedModules modules, LoadRecord record, Supplier<ModuleUsers> users) {
    this.tools = tools;
    this.modules = modules;
    this.record = record;
    this.users = users;
  }

  /**
   * Loads what is not loaded. No udev does it where the agent runs.
   *
   * @param core the file that the core is loaded from, if it is known
   */
  void load(Optional<ModuleState.InPlace> core, Consumer<String> step) {
    boolean loadsCore = !modules.isLoaded(REQUIRED.getFirst());
    for (String module : LoadedModules.DRIVER) {
      if (modules.isLoaded(module)) {
        continue;
      }
      step.accept("load " + module);
      HostTools.Result result = tools.run("modprobe", module);
      if (!result.succeeded() && REQUIRED.contains(module)) {
        throw new InstallFailure(
            FailureReason.LoadFailed,
            "modprobe %s failed with exit code %d: %s"
                .formatted(module, result.exitCode(), result.lastLine()),
            result.output().lines().toList());
      }
    }
    if (loadsCore && core.isPresent()) {
      try {
        record.loaded(core.get().sha256());
      } catch (IOException failed) {
        throw new InstallFailure(
            FailureReason.LoadFailed, "cannot keep what is loaded: " + failed.getMessage());
      }
    }
  }

  /** Unloads what is loaded, and loads what is in place. */
  void reload(Optional<ModuleState.InPlace> core, Consumer<String> step) {
    ModuleUsers now = users.get();
    List<String> left = new ArrayList<>();
    if (!now.inTheWay().isEmpty()) {
      left.add(now.inTheWay());
    }
    if (!now.handlers().isEmpty()) {
      left.add("a retry handler runs");
    }
    if (!left.isEmpty()) {
      throw new InstallFailure(FailureReason.Busy, String.join(", ", left));
    }
    record.forget();
    for (String module : UNLOADED) {
      if (!modules.isLoaded(module)) {
        continue;
      }
      step.accept("unload " + module);
      HostTools.Result result = tools.run("rmmod", module);
      if (!result.succeeded() && modules.isLoaded(module) && !LoadedModules.LINK.contains(module)) {
        throw new InstallFailure(
            FailureReason.Busy,
            "rmmod %s failed with exit code %d: %s"
                .formatted(module, result.exitCode(), result.lastLine()));
      }
    }
    load(core, step);
  }
}
