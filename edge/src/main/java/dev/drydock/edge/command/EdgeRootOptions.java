package dev.drydock.edge.command;

import dev.drydock.edge.record.EdgePaths;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Where the records of a machine at the edge are. */
@Command(addMethodSubcommands = false)
final class EdgeRootOptions {
  @Option(
      names = "--edge-run-root",
      paramLabel = "FOLDER",
      defaultValue = "/run",
      description = "The folder of records that a boot removes. Default: /run.")
  private Path run = Path.of("");

  @Option(
      names = "--edge-persist-root",
      paramLabel = "FOLDER",
      defaultValue = "/persist",
      description = "The folder of what a boot keeps. Default: /persist.")
  private Path persist = Path.of("");

  @Option(
      names = "--edge-tmp-root",
      paramLabel = "FOLDER",
      defaultValue = "/tmp",
      description = "The other folder in which the force file is looked for. Default: /tmp.")
  private Path temporary = Path.of("");

  EdgePaths paths() {
    return new EdgePaths(run, persist, temporary);
  }
}
