package dev.drydock.lifecycle.command;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.DrydockCommand;
import picocli.CommandLine.Command;

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
public final class LifecycleCommand extends CommandGroup implements DrydockCommand {}
