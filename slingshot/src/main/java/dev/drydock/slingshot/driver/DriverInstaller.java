package dev.drydock.slingshot.driver;

import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.slingshot.driver.decide.DriverRecords;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.slingshot.driver.decide.ModuleState;
import dev.drydock.slingshot.node.LoadedModules;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Puts the files of a driver in place, wherever they come from, and keeps a record of it. */
final class DriverInstaller {
  private static final String CORE = LoadedModules.DRIVER.getFirst();

  private final AgentFolders folders;
  private final DkmsInstaller dkms;
  private final PrebuiltInstaller prebuilt;
  private final ModuleFiles files;
  private final DriverRecordFile records;

  DriverInstaller(AgentFolders folders, HostTools tools, SourceDownload download) {
    this.folders = folders;
    dkms = new DkmsInstaller(folders, tools, download);
    prebuilt = new PrebuiltInstaller(folders, tools, download);
    files = new ModuleFiles(folders, tools);
    records = new DriverRecordFile(folders);
  }

  /**
   * Returns when a kernel has the modules of this driver.
   *
   * @param step called with what is being done, for people
   * @return the core module's file; empty if the host's own module is loaded and has no file
   * @throws InstallFailure if it has not
   */
  Optional<ModuleState.InPlace> install(DriverTarget target, String kernel, Consumer<String> step) {
    try {
      if (target.type() != SourceType.preinstalled && !Files.isDirectory(folders.modules(kernel))) {
        throw new InstallFailure(
            FailureReason.NotInPlace, "%s does not exist".formatted(folders.modules(kernel)));
      }
      removeOthers(target, kernel);
      switch (target.type()) {
        case dkms -> dkms.install(target, kernel, step);
        case prebuilt -> prebuilt.install(target, kernel, step);
        case preinstalled -> {}
      }
      if (target.type() != SourceType.preinstalled) {
        step.accept("verify");
        return Optional.of(files.describe(kernel, CORE));
      }
      return files.find(kernel, CORE).map(_ -> files.describe(kernel, CORE));
    } catch (IOException failed) {
      throw new InstallFailure(
          FailureReason.HostToolFailed, "a file cannot be written: " + failed.getMessage());
    }
  }

  /** Of two drivers from different sources the kernel would take either. */
  private void removeOthers(DriverTarget target, String kernel) throws IOException {
    if (target.type() != SourceType.prebuilt) {
      prebuilt.uninstall(kernel);
    }
    if (target.type() == SourceType.dkms) {
      return;
    }
    DriverRecords known = records.read();
    for (Optional<DriverTarget> each :
        List.of(Optional.ofNullable(known.current()), Optional.ofNullable(known.previous()))) {
      each.filter(driver -> driver.type() == SourceType.dkms)
          .ifPresent(driver -> dkms.uninstall(driver, kernel));
    }
  }
}
