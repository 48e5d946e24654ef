package dev.drydock.maintenance.command.campaign;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.maintenance.campaign.MaintenanceCampaignObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes existing campaigns. */
@Command(addMethodSubcommands = false)
public final class CampaignChange {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Mixin private KubeOptions kube = new KubeOptions();

  @Parameters(
      paramLabel = "NAME",
      arity = "1..*",
      completionCandidates = CampaignNameCandidates.class,
      description = "The campaigns.")
  private List<String> names = new ArrayList<>();

  /** Printed one by one: if one is missing, the previous ones are changed. */
  int make(String word, Consumer<ObjectNode> inSpec, Consumer<ObjectNode> inAnnotations) {
    return make(word, _ -> Optional.empty(), inSpec, inAnnotations);
  }

  /**
   * As above.
   *
   * @param objection why a campaign cannot be changed, if it cannot
   */
  int make(
      String word,
      Function<MaintenanceCampaignObject, Optional<String>> objection,
      Consumer<ObjectNode> inSpec,
      Consumer<ObjectNode> inAnnotations) {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client())) {
      CampaignApi api = new CampaignApi(cluster.http());
      for (String name : names) {
        MaintenanceCampaignObject campaign = api.get(name);
        ended(campaign, word)
            .or(() -> objection.apply(campaign))
            .ifPresent(
                why -> {
                  throw new CommandFailure("MaintenanceCampaign " + name + " " + why);
                });
        ObjectNode patch = Json.object();
        inSpec.accept(patch.putObject("spec"));
        inAnnotations.accept(patch.putObject("metadata").putObject("annotations"));
        var _ = api.change(name, patch);
        terminal.out().println("maintenancecampaign.drydock.dev/" + name + " " + word);
      }
    }
    return ExitCode.OK;
  }

  private static Optional<String> ended(MaintenanceCampaignObject campaign, String word) {
    boolean stopped = Boolean.TRUE.equals(campaign.spec().stopped());
    return stopped && !word.equals(CampaignStopCommand.STOPPED)
        ? Optional.of("was stopped, which cannot be taken back; create another one")
        : Optional.empty();
  }
}
