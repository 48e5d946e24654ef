package dev.drydock.slingshot.command;

import dev.drydock.slingshot.node.HostRoots;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Where a program that installs modules finds the host's folders. */
@Command(addMethodSubcommands = false)
final class HostRootOptions extends DeviceRootOptions {
  @Option(
      names = "--modules-root",
      paramLabel = "FOLDER",
      description = "The folder of kernel modules. Default: lib/modules of --host-root.")
  private @Nullable Path modules;

  @Option(
      names = "--sources-root",
      paramLabel = "FOLDER",
      description = "The folder of DKMS's sources. Default: usr/src of --host-root.")
  private @Nullable Path sources;

  @Override
  HostRoots roots() {
    HostRoots roots = super.roots();
    return new HostRoots(
        roots.sys(),
        roots.proc(),
        roots.dev(),
        Objects.requireNonNullElse(modules, roots.modules()),
        Objects.requireNonNullElse(sources, roots.sources()),
        roots.runCxi());
  }
}
