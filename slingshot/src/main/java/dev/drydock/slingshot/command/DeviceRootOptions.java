package dev.drydock.slingshot.command;

import dev.drydock.slingshot.node.HostRoots;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Where a program on a node finds device files, and what the other programs there tell it. */
@Command(addMethodSubcommands = false)
class DeviceRootOptions extends SysRootOptions {
  @Option(
      names = "--dev-root",
      paramLabel = "FOLDER",
      description = "The folder of device files. Default: dev of --host-root.")
  private @Nullable Path dev;

  @Option(
      names = "--run-root",
      paramLabel = "FOLDER",
      description =
          "Where the programs of a node leave messages for each other. Default: run/cxi of"
              + " --host-root.")
  private @Nullable Path run;

  @Override
  HostRoots roots() {
    HostRoots roots = super.roots();
    return new HostRoots(
        roots.sys(),
        roots.proc(),
        Objects.requireNonNullElse(dev, roots.dev()),
        roots.modules(),
        roots.sources(),
        Objects.requireNonNullElse(run, roots.runCxi()));
  }
}
