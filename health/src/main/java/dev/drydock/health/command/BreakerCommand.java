package dev.drydock.health.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock breaker}: the circuit breakers of quarantines. */
@Command(
    name = "breaker",
    addMethodSubcommands = false,
    description = "Show or reset the circuit breakers that limit quarantines.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {BreakerStatusCommand.class, BreakerResetCommand.class})
public final class BreakerCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).commandLine();
    line.usage(line.getOut());
    return ExitCode.OK;
  }
}
