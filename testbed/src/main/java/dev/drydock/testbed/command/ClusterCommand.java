package dev.drydock.testbed.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
public final class ClusterCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).commandLine();
    line.usage(line.getOut());
    return ExitCode.OK;
  }
}
