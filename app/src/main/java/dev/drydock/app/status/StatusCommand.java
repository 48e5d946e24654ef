package dev.drydock.app.status;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.Kube;
import dev.drydock.serve.command.NodeArguments;
import dev.drydock.serve.command.OperatorNamespaceOption;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock status}: shows the state of nodes, their holders, and what they wait for. */
@Command(
    name = "status",
    addMethodSubcommands = false,
    description = {
      "Show the state of nodes, and what they wait for.",
      "Shows state, holders, maintenances, the estimated time, and what each node waits for.",
      "Default: all nodes that are not simply in service, and a summary. Changes nothing."
    })
public final class StatusCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();
  @Mixin private OperatorNamespaceOption cord = new OperatorNamespaceOption();
  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = {"-A", "--all"},
      description = "Also nodes that are simply in service.")
  private boolean all;

  @Option(
      names = {"-w", "--watch"},
      description = "Show changes until Ctrl-C.")
  private boolean watch;

  @Override
  public Integer call() throws InterruptedException {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    nodes.check();
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client());
        DrainEngine engine = new DrainEngine(cluster)) {
      AndonCord andon = new AndonCord(cluster, cord.namespace());
      StatusSnapshot snapshot = new StatusReader(cluster.http(), andon).at(nodes);
      StatusView view = new StatusView(terminal, output, Clock.systemUTC());
      if (watch) {
        watch(view, snapshot, new StatusWatch(cluster, andon, nodes));
      } else {
        view.once(new Blockers(engine).explain(status(snapshot)));
      }
    }
    return ExitCode.OK;
  }

  /** Nodes named on the command line are shown even if they are simply in service. */
  private FleetStatus status(StatusSnapshot snapshot) {
    FleetStatus status = FleetStatus.of(snapshot);
    return all || !nodes.names().isEmpty() ? status : status.withoutPlain();
  }

  private void watch(StatusView view, StatusSnapshot first, StatusWatch opened)
      throws InterruptedException {
    StatusSnapshot snapshot = first;
    view.again(status(snapshot));
    try (StatusWatch look = opened) {
      look.start();
      while (!view.isLost()) {
        look.awaitChange(StatusView.REFRESH);
        if (look.isReady()) {
          snapshot = look.at(snapshot);
          view.again(status(snapshot));
        }
      }
    }
  }
}
