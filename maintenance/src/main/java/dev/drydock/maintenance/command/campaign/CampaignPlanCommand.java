package dev.drydock.maintenance.command.campaign;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.drain.engine.DrainEstimates;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.Kube;
import dev.drydock.maintenance.campaign.CampaignSnapshot;
import dev.drydock.maintenance.campaign.DepartureLedger;
import dev.drydock.maintenance.campaign.MaintenanceCampaignObject;
import dev.drydock.maintenance.decide.campaign.CampaignPlan;
import dev.drydock.serve.command.OperatorNamespaceOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock campaign plan}. */
@Command(
    name = "plan",
    addMethodSubcommands = false,
    description = {
      "Show in which order nodes would leave, and when all are back.",
      "Shows for each node when it would be empty and back, and how much of the budgets would be used.",
      "Plans an existing campaign, or with the flags of 'create' a new one. Changes nothing."
    })
final class CampaignPlanCommand implements Callable<Integer> {
  private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private CampaignSpecOptions options = new CampaignSpecOptions();
  @Mixin private OperatorNamespaceOption cord = new OperatorNamespaceOption();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      paramLabel = "NAME",
      completionCandidates = CampaignNameCandidates.class,
      description = "The campaign; with flags, the name of the new one.")
  private String name = "";

  @Option(
      names = "--work-time",
      paramLabel = "TIME",
      description =
          "How long maintenance and validation of an empty node take, e.g. 40m. Default: the average"
              + " of the campaign so far, otherwise 15m.")
  private @Nullable Duration workTime;

  @Spec
  void spec(CommandSpec command) {
    spec = command;
    KubeOptions.describeNamespace(command, CampaignNames.DEFAULT_NAMESPACE);
  }

  @Override
  public Integer call() throws InterruptedException {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    Instant now = Instant.now();
    try (KubeConnection connection = kube.connect(CampaignNames.DEFAULT_NAMESPACE);
        Kube cluster = Kube.of(connection.client())) {
      List<MaintenanceCampaignObject> campaigns =
          campaigns(new CampaignApi(cluster.http()), connection.client().getNamespace(), now);
      CampaignFactsReader reader =
          new CampaignFactsReader(
              cluster,
              new DepartureLedger(cluster.http(), cord.namespace()),
              new AndonCord(cluster, cord.namespace()));
      try (DrainEstimates pods = reader.pods()) {
        CampaignSnapshot snapshot = reader.with(campaigns, pods);
        Duration work = workTime == null ? snapshot.workTime(name) : workTime;
        CampaignPlan plan = CampaignPlan.of(snapshot.facts(now), name, work, now);
        output.print(
            terminal,
            CampaignPlanReport.of(plan),
            _ ->
                CampaignPlanText.lines(plan, now, terminal.liveOut() ? terminal.columns() : 0)
                    .forEach(terminal.out()::println));
      }
    }
    return ExitCode.OK;
  }

  /** All existing campaigns, and the new one. */
  private List<MaintenanceCampaignObject> campaigns(
      CampaignApi api, String namespace, Instant now) {
    List<MaintenanceCampaignObject> all = new ArrayList<>(api.all());
    boolean exists = all.stream().anyMatch(campaign -> campaign.name().equals(name));
    if (!options.isGiven()) {
      var _ = api.get(name);
      return all;
    }
    if (exists) {
      throw CommandFailure.usage(
          "MaintenanceCampaign %s already exists; omit the flags to plan it, or choose another name"
              .formatted(name));
    }
    MaintenanceCampaignSpec wanted = options.spec(namespace);
    api.check(name, wanted, now);
    all.add(MaintenanceCampaignObject.planned(name, wanted, now));
    return all;
  }
}
