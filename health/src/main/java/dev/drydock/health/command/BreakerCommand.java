package dev.drydock.health.command;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.DrydockCommand;
import picocli.CommandLine.Command;

/** {@code drydock breaker}: the circuit breakers of quarantines. */
@Command(
    name = "breaker",
    addMethodSubcommands = false,
    description = "Show or reset the circuit breakers that limit quarantines.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {BreakerStatusCommand.class, BreakerResetCommand.class})
public final class BreakerCommand extends CommandGroup implements DrydockCommand {}
