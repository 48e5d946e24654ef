package dev.drydock.lifecycle.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock lifecycle}: transitions of nodes by LifecycleEvents. */
@Command(
    name = "lifecycle",
    addMethodSubcommands = false,
    description = "Drain and uncordon nodes by LifecycleEvents.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LifecycleDrainCommand.class,
      LifecycleUncordonCommand.class,
      LifecycleCrdsCommand.class,
      LifecycleDriverCommand.class
    })
public final class LifecycleCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).commandLine();
    line.usage(line.getOut());
    return ExitCode.OK;
  }
}
