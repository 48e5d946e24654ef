package dev.drydock.app.history;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.NodeNameCandidates;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import dev.drydock.cli.TextLines;
import dev.drydock.kube.Kube;
import dev.drydock.serve.command.ExistenceCheck;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HistoryStep;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock history}: shows what happened to a node, step by step. */
@Command(
    name = "history",
    addMethodSubcommands = false,
    description = {
      "Show what happened to a node, oldest step first.",
      "Shows its maintenances, drains and holds; for each step the time since the previous one, and"
          + " what the node waited for.",
      "Includes ended maintenances as long as their objects or Events exist."
    })
public final class HistoryCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      paramLabel = "NODE",
      completionCandidates = NodeNameCandidates.class,
      description = "The name of the node.")
  private String node = "";

  @Option(names = "--id", paramLabel = "ID", description = "Only the maintenance with this ID.")
  private @Nullable String id;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    String name = node.replaceFirst("^(nodes?|no)/", "");
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client())) {
      HistoryReader reader =
          new HistoryReader(cluster.http(), name, Optional.ofNullable(id), Clock.systemUTC());
      Features features = Features.load();
      NodeHistory history =
          new NodeHistory(
              new CausalOrder(features.historyPhases()),
              features.history(reader).toList(),
              reader.nodeEvents());
      List<HistoryStep> steps = id == null ? history.whole() : history.ofTasks();
      if (steps.isEmpty()) {
        // a deleted node may have a history; an unknown one is mistyped
        var _ = new ExistenceCheck(cluster.http()).requireNodes(List.of(name));
        if (id != null) {
          throw new CommandFailure(
              "there is no maintenance %s of node %s; see all of them: drydock history %2$s"
                  .formatted(id, name));
        }
      }
      output.print(terminal, steps, wide -> print(terminal, name, steps));
      reader.notes().forEach(note -> TextLines.printError(terminal, "Note: " + note));
    }
    return ExitCode.OK;
  }

  private static void print(Terminal terminal, String node, List<HistoryStep> steps) {
    if (steps.isEmpty()) {
      terminal.err().println("There are no maintenances of node " + node + ".");
      return;
    }
    HistoryText.lines(steps, terminal.liveOut() ? terminal.columns() - 1 : 0)
        .forEach(terminal.out()::println);
  }
}
