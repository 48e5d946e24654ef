package dev.drydock.drain.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.decide.DrainPlan;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.kube.Kube;
import dev.drydock.serve.command.ExistenceCheck;
import dev.drydock.serve.command.NodeArguments;
import java.util.List;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock plan}: shows what a drain would do, without changing anything. */
@Command(
    name = "plan",
    addMethodSubcommands = false,
    description = {
      "Show what a drain would do, and what would block it.",
      "Shows the order of pods, what blocks and why, how long it takes, and what force would cost.",
      "Changes nothing. Exit code 3 if a node can never drain in its current state."
    })
public final class PlanCommand implements DrydockCommand {
  private static final int NODES_AT_ONCE = 8;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();
  @Mixin private PolicyOptions policyOptions = new PolicyOptions();
  @Mixin private ListOption lists = new ListOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    DrainPolicy policy = policyOptions.policy();
    lists.check();
    try (KubeConnection connection = kube.connect();
        Kube cluster = lists.open(connection.client());
        DrainEngine engine = new DrainEngine(cluster)) {
      List<String> names = nodes.resolve(cluster.http());
      List<DrainPlan> plans =
          new ExistenceCheck(cluster.http()).reading(names, () -> plans(engine, names, policy));
      output.print(
          terminal,
          plans.stream().map(DrainPlanReport::of).toList(),
          wide -> DrainPlanText.print(terminal, plans, wide));
      return plans.stream().allMatch(DrainPlan::possible) ? ExitCode.OK : ExitCode.IMPOSSIBLE;
    }
  }

  private static List<DrainPlan> plans(DrainEngine engine, List<String> names, DrainPolicy policy) {
    return names.stream()
        .gather(Gatherers.mapConcurrent(NODES_AT_ONCE, node -> engine.plans().plan(node, policy)))
        .toList();
  }
}
