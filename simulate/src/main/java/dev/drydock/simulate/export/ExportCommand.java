package dev.drydock.simulate.export;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.ProgressDisplay;
import dev.drydock.cli.Terminal;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.FleetWriter;
import dev.drydock.simulate.fleet.Scenario;
import io.fabric8.kubernetes.client.KubernetesClientException;
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

/** {@code drydock export}: writes the cluster to a fleet file for {@code drydock simulate}. */
@Command(
    name = "export",
    addMethodSubcommands = false,
    description = {
      "Export the cluster to a fleet file for 'drydock simulate'.",
      "The file contains the nodes, the pods by owner and the PodDisruptionBudgets.",
      "Read-only. The file contains no secrets: no environment variables, no images, only the simulation's annotations.",
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
      description = "Replace names and label values consistently by meaningless ones.")
  private boolean anonymize;

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description =
          "With --anonymize, write the original names to this new file, which only you can read.")
  private @Nullable Path mapping;

  @Option(
      names = "--chunk-size",
      paramLabel = "N",
      defaultValue = "500",
      description = "The page size for lists; 0 reads all objects at once. Default: 500.")
  private int chunkSize;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    if (chunkSize < 0) {
      throw CommandFailure.usage(
          "--chunk-size " + chunkSize + ": use 1 or more, or 0 for no limit");
    }
    checkTargets();
    try (KubeConnection connection = kube.connect()) {
      Fleet fleet = read(terminal, connection);
      write(terminal, anonymize ? anonymous(fleet) : fleet);
    }
    return ExitCode.OK;
  }

  private void checkTargets() {
    if (file != null) {
      new FileTarget("--output", file).check();
    }
    if (mapping != null && !anonymize) {
      throw CommandFailure.usage("--mapping needs --anonymize: nothing else is renamed");
    }
    if (mapping != null) {
      boolean same =
          file != null
              && mapping.toAbsolutePath().normalize().equals(file.toAbsolutePath().normalize());
      if (same || Files.exists(mapping)) {
        throw CommandFailure.usage(
            "--mapping " + mapping + ": name a new file; existing files are not overwritten");
      }
      new FileTarget("--mapping", mapping).check();
    }
  }

  private Fleet anonymous(Fleet fleet) {
    Anonymizer names = new Anonymizer();
    Fleet renamed = names.rename(fleet);
    if (mapping != null) {
      new FileTarget("--mapping", mapping).writeSecret(FleetWriter.names(names.originals()));
    }
    return renamed;
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
    checkNamespace(terminal, connection, pods.count() + budgets.budgets().size());
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
                    : " "
                        + nodes.notReady()
                        + " nodes are not ready; the simulation treats them as ready."));
    terminal
        .err()
        .println(
            "The time that pods take to stop cannot be observed; the simulation uses 2s unless the file sets 'stops'.");
    return fleet;
  }

  /** An empty namespace is often a misspelt one, which a list does not reveal. */
  private static void checkNamespace(Terminal terminal, KubeConnection connection, int found) {
    String namespace = connection.namespaceFlag();
    if (namespace == null || found > 0) {
      return;
    }
    boolean there;
    try {
      there = connection.client().raw("/api/v1/namespaces/" + namespace) != null;
    } catch (KubernetesClientException _) {
      there = true; // a user who may list pods may not be allowed to read namespaces
    }
    if (!there) {
      throw new CommandFailure(
          "there is no namespace \"" + namespace + "\"; see 'kubectl get namespaces'");
    }
    terminal
        .err()
        .println(
            "Warning: namespace %s has no running pods and no budgets: only nodes are exported"
                .formatted(namespace));
  }

  private void write(Terminal terminal, Fleet fleet) {
    if (file == null) {
      terminal.out().print(FleetWriter.yaml(fleet));
      return;
    }
    boolean json = file.toString().endsWith(".json");
    new FileTarget("--output", file)
        .write(json ? FleetWriter.json(fleet) : FleetWriter.yaml(fleet));
  }
}
