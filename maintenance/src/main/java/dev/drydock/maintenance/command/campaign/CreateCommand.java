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
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.kube.CallHook;
import dev.drydock.kube.KubeHttp;
import dev.drydock.maintenance.command.DryRun;
import dev.drydock.maintenance.command.MadeFormat;
import java.time.Instant;
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
      "Its maintenances are in --namespace.",
      "See first what it would do: drydock campaign plan, with the same flags."
    })
final class CreateCommand implements Callable<Integer> {
  static final int PAGE_SIZE = 500;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private SpecOptions options = new SpecOptions();

  @Parameters(paramLabel = "NAME", description = "The campaign's name.")
  private String name = "";

  @Option(
      names = "--dry-run",
      paramLabel = "none|client|server",
      arity = "0..1",
      fallbackValue = "client",
      preprocessor = OptionalValue.class,
      description = "Make nothing. client: say what would be made. server: also ask the server.")
  private DryRun dryRun = DryRun.none;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Print what was made as ${COMPLETION-CANDIDATES}.")
  private @Nullable MadeFormat format;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (KubeConnection connection = kube.connect();
        KubeHttp http = new KubeHttp(connection.client(), CallHook.NONE, PAGE_SIZE)) {
      MaintenanceCampaignSpec wanted = options.spec(connection.client().getNamespace());
      CampaignApi api = new CampaignApi(http);
      api.check(name, wanted, Instant.now());
      ObjectNode object = CampaignApi.object(name, wanted);
      JsonNode made =
          dryRun == DryRun.client ? object : api.create(object, dryRun == DryRun.server);
      terminal.out().print(text(made));
      terminal.out().flush();
      if (!api.matchesSomeNode(options.selectorText())) {
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

  private String text(JsonNode made) {
    if (format == MadeFormat.json || format == MadeFormat.yaml) {
      return OutputOption.text(
          format == MadeFormat.json ? OutputFormat.json : OutputFormat.yaml, made);
    }
    String what = "maintenancecampaign.drydock.dev/" + name;
    if (format == null) {
      what += " created" + dryRun.remark();
      what +=
          dryRun == DryRun.none
              ? "; follow it by: drydock campaign status %s --watch".formatted(name)
              : "";
    }
    return what + System.lineSeparator();
  }
}
