package dev.drydock.lifecycle.command;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.KubeOptions;
import dev.drydock.serve.command.OperatorNamespaceOption;
import dev.drydock.serve.feature.AgentProcess;
import dev.drydock.serve.feature.AgentProcessOptions;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** {@code drydock lifecycle driver}: the drain driver under the command line it always had. */
@Command(
    name = "driver",
    addMethodSubcommands = false,
    description = "The drain driver of a node.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = LifecycleDriverCommand.KubeletPlugin.class)
final class LifecycleDriverCommand extends CommandGroup {
  /** They may also stand before {@code kubelet-plugin}. */
  private static final List<String> GLOBAL =
      List.of(
          "--driver-name",
          "--eviction-timeout",
          "--grace-period",
          "--kubeconfig",
          "--kube-api-qps",
          "--kube-api-burst",
          "--feature-gates",
          "--v",
          "--vmodule",
          "--logging-format",
          "--log-flush-frequency");

  /** Hidden, because they are described where they usually stand. */
  @Spec
  void addGlobalFlags(CommandSpec own) {
    for (String flag : GLOBAL) {
      OptionSpec.Builder option =
          flag.equals("--v") ? OptionSpec.builder("-v", flag) : OptionSpec.builder(flag);
      own.addOption(option.type(String.class).hidden(true).build());
    }
  }

  /** The agent, by the name that its driver always had. */
  @Command(
      name = "kubelet-plugin",
      addMethodSubcommands = false,
      defaultValueProvider = GivenBefore.class,
      description = "Serve one node until stopped; the same as: drydock agent")
  static final class KubeletPlugin implements Callable<Integer> {
    @Mixin private KubeOptions kube = new KubeOptions();
    @Mixin private AgentProcessOptions process = new AgentProcessOptions();
    @Mixin private LifecycleAgentOptions options = new LifecycleAgentOptions();
    @Mixin private DriverGlobalFlags component = new DriverGlobalFlags();

    @Spec
    void spec(CommandSpec own) {
      OperatorNamespaceOption.describeOwn(own);
    }

    @Override
    public Integer call() {
      component.check();
      return new AgentProcess(kube, process, List.of(options), System.getenv()).run();
    }
  }

  /** A flag that stood before the command counts unless it is given after it as well. */
  static final class GivenBefore implements IDefaultValueProvider {
    @Override
    public @Nullable String defaultValue(ArgSpec flag) {
      CommandSpec before = flag.command().parent();
      if (before == null
          || !(flag instanceof OptionSpec option)
          || !GLOBAL.contains(option.longestName())) {
        return null;
      }
      return before.findOption(option.longestName()).getValue();
    }
  }
}
