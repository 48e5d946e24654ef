package dev.drydock.serve.command;

import dev.drydock.cli.OptionalValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Whether a command follows what it has created, as in kubectl. */
@Command(addMethodSubcommands = false)
public final class WaitOption {
  @Option(
      names = "--wait",
      paramLabel = "true|false",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      description = "Follow until all nodes are done. Default: true.")
  private boolean wait = true;

  @Option(names = "--no-wait", hidden = true)
  private boolean noWait;

  public boolean isSet() {
    return wait && !noWait;
  }
}
