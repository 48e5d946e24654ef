package dev.drydock.testbed.command;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.DrydockCommand;
import picocli.CommandLine.Command;

/** {@code drydock cluster}: a real Kubernetes test cluster on this machine. */
@Command(
    name = "cluster",
    description = {
      "A real Kubernetes test cluster on this machine.",
      "It has a control plane, simulated nodes, and optionally a real node."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ClusterUpCommand.class,
      ClusterStatusCommand.class,
      ClusterKubeconfigCommand.class,
      ClusterDownCommand.class
    })
public final class ClusterCommand extends CommandGroup implements DrydockCommand {}
