package dev.drydock.app.export;

import static java.util.Objects.requireNonNull;

import dev.drydock.app.fleet.Fleet;
import dev.drydock.app.fleet.FleetWriter;
import dev.drydock.app.fleet.Scenario;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.ProgressDisplay;
import dev.drydock.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock export}: the cluster as a fleet file for {@code drydock simulate}. */
@Command(
    name = "export",
    addMethodSubcommands = false,
    description = {
      "Write the cluster down as a fleet file for 'drydock simulate': nodes, pods by owner, budgets.",
      "Only reads. The file has no secrets: no environment, no images, no annotations but the simulation's.",
      "All namespaces are exported, unless --namespace names one."
    })
public final class ExportCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "The file to write, JSON if it ends in .json. Default: YAML on standard output.")
  private @Nullable Path file;

  @Option(
      names = "--anonymize",
      description =
          "Replace names and label values by others that say nothing, the same everywhere.")
  private boolean anonymize;

  @Option(
      names = "--chunk-size",
      paramLabel = "N",
      defaultValue = "500",
      description = "Read lists in parts of this many objects; 0 reads all at once. Default: 500.")
  private int chunkSize;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    if (chunkSize < 0) {
      throw CommandFailure.usage(
          "--chunk-size " + chunkSize + ": use 1 or more, or 0 for no limit");
    }
    checkTarget();
    try (KubeConnection connection = kube.connect()) {
      Fleet fleet = read(terminal, connection);
      write(terminal, anonymize ? Anonymizer.of(fleet) : fleet);
    }
    return ExitCode.OK;
  }

  /** Before a large cluster is read for nothing. */
  private void checkTarget() {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw CommandFailure.usage("--output " + file + ": is a folder; name a file in it");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw CommandFailure.usage("--output " + file + ": there is no folder " + folder);
    }
    if (!Files.isWritable(Files.exists(file) ? file : folder)) {
      throw CommandFailure.usage("--output " + file + ": may not be written");
    }
  }

  private Fleet read(Terminal terminal, KubeConnection connection) {
    String in =
        connection.namespaceFlag() == null ? "" : "/namespaces/" + connection.namespaceFlag();
    NodeRecords nodes;
    PodRecords pods;
    BudgetRecords budgets;
    ProgressDisplay progress = new ProgressDisplay(terminal, Clock.systemUTC());
    try (progress) {
      ApiLists lists = new ApiLists(connection.client(), progress, chunkSize);
      nodes = lists.read("nodes", "/api/v1/nodes", NodeRecords::new);
      pods = lists.read("pods", "/api/v1" + in + "/pods", () -> new PodRecords(nodes.names()));
      budgets =
          lists.read(
              "budgets", "/apis/policy/v1" + in + "/poddisruptionbudgets", BudgetRecords::new);
    } catch (RuntimeException failure) {
      progress.fail();
      throw failure;
    }
    if (nodes.count() == 0) {
      throw new CommandFailure("the cluster has no nodes, so there is nothing to export");
    }
    Fleet fleet =
        new Fleet(1, nodes.pools(), pods.workloads(), budgets.budgets(), Scenario.NOTHING);
    terminal
        .err()
        .println(
            String.format(
                Locale.ROOT,
                "%,d nodes in %,d pools, %,d pods in %,d workloads, %,d budgets.%s",
                nodes.count(),
                fleet.pools().size(),
                pods.count(),
                fleet.workloads().size(),
                fleet.budgets().size(),
                nodes.notReady() == 0
                    ? ""
                    : " Of the nodes "
                        + nodes.notReady()
                        + " are not ready; a simulation has them ready."));
    terminal
        .err()
        .println(
            "Nobody can see how long pods take to stop: a simulation takes 2s, unless you write 'stops' into the file.");
    terminal.err().flush();
    return fleet;
  }

  private void write(Terminal terminal, Fleet fleet) {
    if (file == null) {
      terminal.out().print(FleetWriter.yaml(fleet));
      terminal.out().flush();
      return;
    }
    boolean json = file.toString().endsWith(".json");
    try {
      Files.writeString(file, json ? FleetWriter.json(fleet) : FleetWriter.yaml(fleet));
    } catch (IOException failure) {
      throw new CommandFailure("cannot write " + file + ": " + failure.getMessage(), failure);
    }
  }
}
