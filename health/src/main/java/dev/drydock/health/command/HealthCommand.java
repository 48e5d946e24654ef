package dev.drydock.health.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock health}: the store of health events. */
@Command(
    name = "health",
    addMethodSubcommands = false,
    description = "Back up and restore the embedded store of health events.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {HealthBackupCommand.class, HealthRestoreCommand.class, ReplayCommand.class})
public final class HealthCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).commandLine();
    line.usage(line.getOut());
    return ExitCode.OK;
  }
}
