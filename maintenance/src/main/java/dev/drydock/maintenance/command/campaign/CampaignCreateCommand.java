package dev.drydock.maintenance.command.campaign;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OptionalValue;
import dev.drydock.cli.OutputFormat;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.kube.Kube;
import dev.drydock.maintenance.command.CreatedFormat;
import dev.drydock.maintenance.command.DryRunOption;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock campaign create}. */
@Command(
    name = "create",
    addMethodSubcommands = false,
    description = {
      "Create a campaign, which 'drydock operator' carries out.",
      "Its NotifyMaintenances are created in --namespace.",
      "The manifests in deploy let the operator create the Jobs of a class in the default one only.",
      "To see what it would do, run 'drydock campaign plan' with the same flags."
    })
final class CampaignCreateCommand implements Callable<Integer> {
  private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private CampaignSpecOptions options = new CampaignSpecOptions();

  @Parameters(paramLabel = "NAME", description = "The campaign's name.")
  private String name = "";

  @Option(
      names = "--dry-run",
      paramLabel = "none|client|server",
      arity = "0..1",
      fallbackValue = "client",
      preprocessor = OptionalValue.class,
      description =
          "Create nothing. client: show what would be created. server: also send a dry-run request.")
  private DryRunOption dryRun = DryRunOption.none;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Print the created object as ${COMPLETION-CANDIDATES}.")
  private @Nullable CreatedFormat format;

  @Spec
  void spec(CommandSpec command) {
    spec = command;
    KubeOptions.describeNamespace(command, CampaignNames.DEFAULT_NAMESPACE);
  }

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (KubeConnection connection = kube.connect(CampaignNames.DEFAULT_NAMESPACE);
        Kube cluster = Kube.of(connection.client())) {
      MaintenanceCampaignSpec wanted = options.spec(connection.client().getNamespace());
      CampaignApi api = new CampaignApi(cluster.http());
      api.check(name, wanted, Instant.now());
      ObjectNode object = CampaignApi.object(name, wanted);
      JsonNode made =
          dryRun == DryRunOption.client
              ? object
              : api.create(object, dryRun == DryRunOption.server);
      terminal.out().print(text(made));
      OptionalInt nodes = api.countNodes(options.selectorText());
      if (format == null && nodes.isPresent()) {
        terminal.out().println(scope(nodes.getAsInt(), api.limits(wanted)));
      }
      terminal.out().flush();
      if (nodes.equals(OptionalInt.of(0))) {
        terminal
            .err()
            .println(
                "Warning: no node matches --selector \"%s\"; the campaign waits until one does"
                    .formatted(options.selectorText()));
        terminal.err().flush();
      }
    }
    return ExitCode.OK;
  }

  /** What the campaign will do to the cluster. */
  private static String scope(int nodes, String limits) {
    return "%d %s; out of service at a time: %s"
        .formatted(nodes, nodes == 1 ? "node matches" : "nodes match", limits);
  }

  private String text(JsonNode made) {
    if (format == CreatedFormat.json || format == CreatedFormat.yaml) {
      return OutputOption.text(
          format == CreatedFormat.json ? OutputFormat.json : OutputFormat.yaml, made);
    }
    String what = "maintenancecampaign.drydock.dev/" + name;
    if (format == null) {
      what += " created" + dryRun.remark();
      what +=
          dryRun == DryRunOption.none
              ? "; follow it with: drydock campaign status %s --watch".formatted(name)
              : "";
    }
    return what + System.lineSeparator();
  }
}
