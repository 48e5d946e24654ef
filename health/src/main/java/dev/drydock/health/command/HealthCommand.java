package dev.drydock.health.command;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.DrydockCommand;
import picocli.CommandLine.Command;

/** {@code drydock health}: the store of health events. */
@Command(
    name = "health",
    addMethodSubcommands = false,
    description = "Back up and restore health events, and replay rules on them.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {HealthBackupCommand.class, HealthRestoreCommand.class, ReplayCommand.class})
public final class HealthCommand extends CommandGroup implements DrydockCommand {}
