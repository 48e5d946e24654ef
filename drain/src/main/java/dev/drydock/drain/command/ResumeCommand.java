package dev.drydock.drain.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.Kube;
import dev.drydock.serve.command.OperatorNamespaceOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock resume}: releases the andon cord. */
@Command(
    name = "resume",
    addMethodSubcommands = false,
    description = "Release the andon cord of 'drydock stop': work goes on.")
public final class ResumeCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private OperatorNamespaceOption cord = new OperatorNamespaceOption();

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client())) {
      boolean pulled = new AndonCord(cluster, cord.namespace()).release();
      terminal.out().println(pulled ? "resumed" : "nothing was stopped");
    }
    return ExitCode.OK;
  }
}
