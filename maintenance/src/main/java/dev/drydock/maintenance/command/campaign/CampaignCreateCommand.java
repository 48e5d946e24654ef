package dev.drydock.maintenance.command.campaign;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.kube.Kube;
import dev.drydock.maintenance.command.CreationOptions;
import dev.drydock.serve.command.DryRunOption;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock campaign create}. */
@Command(
    name = "create",
    addMethodSubcommands = false,
    description = {
      "Create a campaign, which 'drydock operator' carries out.",
      "Its NotifyMaintenances are created in --namespace.",
      "With the shipped manifests, the Jobs of a class can run only in drydock-maintenance.",
      "To see what it would do, run 'drydock campaign plan' with the same flags."
    })
final class CampaignCreateCommand implements Callable<Integer> {
  private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private CampaignSpecOptions options = new CampaignSpecOptions();
  @Mixin private CreationOptions creation = new CreationOptions();

  @Parameters(paramLabel = "NAME", description = "The campaign's name.")
  private String name = "";

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
          creation.dryRun() == DryRunOption.client
              ? object
              : api.create(object, creation.dryRun() == DryRunOption.server);
      terminal.out().print(text(made));
      OptionalInt nodes = api.countNodes(options.selectorText());
      if (creation.isForPeople() && nodes.isPresent()) {
        terminal.out().println(scope(nodes.getAsInt(), api.limits(wanted)));
      }
      if (nodes.equals(OptionalInt.of(0))) {
        terminal
            .err()
            .println(
                "Warning: no node matches --selector \"%s\"; the campaign waits until one does"
                    .formatted(options.selectorText()));
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
    return creation.whole(made).orElseGet(() -> line() + System.lineSeparator());
  }

  private String line() {
    String what = "maintenancecampaign.drydock.dev/" + name;
    if (!creation.isForPeople()) {
      return what;
    }
    String next =
        creation.dryRun() == DryRunOption.none
            ? "; follow it with: drydock campaign status %s --watch".formatted(name)
            : "";
    return what + " created" + creation.dryRun().remark() + next;
  }
}
