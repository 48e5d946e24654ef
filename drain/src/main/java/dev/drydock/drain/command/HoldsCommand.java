package dev.drydock.drain.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.Ages;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.decide.NaturalOrder;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.serve.command.ExistenceCheck;
import dev.drydock.serve.command.NodeArguments;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock holds}: shows who keeps which nodes out of service, since when and why. */
@Command(
    name = "holds",
    addMethodSubcommands = false,
    description = {
      "Show who keeps which nodes out of service, since when and why.",
      "Default: all nodes."
    })
public final class HoldsCommand implements DrydockCommand {
  record Entry(
      String node,
      String holder,
      String reason,
      @Nullable Instant since,
      @Nullable Instant until) {}

  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client());
        DrainEngine engine = new DrainEngine(cluster)) {
      NodeHolds.Listing listing =
          nodes.none() ? engine.holds().readAll() : named(engine, cluster.http());
      List<Entry> entries = new ArrayList<>();
      listing.byNode().entrySet().stream()
          .sorted(Map.Entry.comparingByKey(NaturalOrder.INSTANCE))
          .forEach(entry -> add(entries, entry.getKey(), entry.getValue()));
      output.print(terminal, entries, _ -> print(terminal, entries));
      listing.problems().forEach(terminal.err()::println);
      return listing.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private NodeHolds.Listing named(DrainEngine engine, KubeHttp http) {
    List<String> names = nodes.resolve(http);
    return new ExistenceCheck(http).reading(names, () -> engine.holds().readAll(names));
  }

  private static void add(List<Entry> entries, String node, Holds holds) {
    // an uncordon by a person has precedence; the next write to the holds drops them
    String standing = holds.unschedulable() ? "" : "void, the node was uncordoned: ";
    for (Hold hold : holds.byHolder().values()) {
      entries.add(
          new Entry(
              node,
              hold.holder(),
              standing + hold.reason(),
              hold.since(),
              hold.until().orElse(null)));
    }
    if (holds.byHolder().isEmpty() && holds.unschedulable()) {
      entries.add(new Entry(node, "", "cordoned, but not by Drydock", null, null));
    }
  }

  private static void print(Terminal terminal, List<Entry> entries) {
    if (entries.isEmpty()) {
      terminal.err().println("No node is held.");
      return;
    }
    Instant now = Clock.systemUTC().instant();
    Table table = new Table("NODE", "HOLDER", "AGE", "ENDS", "REASON");
    for (Entry entry : entries) {
      table.row(
          entry.node(),
          entry.holder(),
          entry.since() == null ? "" : Ages.between(entry.since(), now),
          entry.until() == null ? "" : "in " + Ages.between(now, entry.until()),
          entry.reason());
    }
    table.print(terminal);
  }
}
