package dev.drydock.lifecycle.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeOptions;
import dev.drydock.serve.feature.AgentProcess;
import dev.drydock.serve.feature.AgentProcessOptions;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock lifecycle driver}: the drain driver under the command line it always had. */
@Command(
    name = "driver",
    addMethodSubcommands = false,
    description = "The drain driver of a node.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = LifecycleDriverCommand.KubeletPlugin.class)
final class LifecycleDriverCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).commandLine();
    line.usage(line.getOut());
    return ExitCode.OK;
  }

  /** The agent, by the name that its driver always had. */
  @Command(
      name = "kubelet-plugin",
      addMethodSubcommands = false,
      description = "Serve one node until stopped; the same as: drydock agent")
  static final class KubeletPlugin implements Callable<Integer> {
    @Mixin private KubeOptions kube = new KubeOptions();
    @Mixin private AgentProcessOptions process = new AgentProcessOptions();
    @Mixin private AgentOptions options = new AgentOptions();

    @Override
    public Integer call() {
      return new AgentProcess(kube, process, List.of(options), System.getenv()).run();
    }
  }
}
