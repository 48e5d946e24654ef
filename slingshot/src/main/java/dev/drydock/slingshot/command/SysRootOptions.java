package dev.drydock.slingshot.command;

import dev.drydock.slingshot.node.HostRoots;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Where a program on a node finds what the kernel shows of it. */
@Command(addMethodSubcommands = false)
class SysRootOptions {
  @Option(
      names = "--host-root",
      paramLabel = "FOLDER",
      defaultValue = "/",
      description = "The folder that has sys, proc and the others. Default: /.")
  private Path root = Path.of("/");

  @Option(
      names = "--sys-root",
      paramLabel = "FOLDER",
      description = "The folder of sysfs. Default: sys of --host-root.")
  private @Nullable Path sys;

  @Option(
      names = "--proc-root",
      paramLabel = "FOLDER",
      description = "The folder of procfs. Default: proc of --host-root.")
  private @Nullable Path proc;

  final Path root() {
    return root;
  }

  HostRoots roots() {
    HostRoots below = HostRoots.below(root);
    return new HostRoots(
        Objects.requireNonNullElse(sys, below.sys()),
        Objects.requireNonNullElse(proc, below.proc()),
        below.dev(),
        below.modules(),
        below.sources(),
        below.runCxi());
  }
}
