package dev.drydock.slingshot.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How much a program logs. */
@Command(addMethodSubcommands = false)
final class VerbosityOption {
  @Option(
      names = {"-v", "--v"},
      paramLabel = "LEVEL",
      defaultValue = "0",
      description =
          "Log verbosity: 4 and above for details, 6 and above for everything. Default: 0.")
  private int level;

  int level() {
    return level;
  }
}
