package dev.drydock.maintenance.command.campaign;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.LiveText;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.WakeUp;
import dev.drydock.kube.Watch;
import dev.drydock.maintenance.campaign.MaintenanceCampaignObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock campaign status}. */
@Command(
    name = "status",
    addMethodSubcommands = false,
    description = {
      "Show the progress of campaigns, and why no further node leaves.",
      "With names: also the nodes that are out of service, failed or next."
    })
final class CampaignStatusCommand implements Callable<Integer> {
  /** Redrawn regularly, because relative times change. */
  private static final Duration REFRESH = Duration.ofSeconds(10);

  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      completionCandidates = CampaignNameCandidates.class,
      description = "Campaigns. Default: all.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = {"-w", "--watch"},
      description = "Show changes until the campaigns have ended or Ctrl-C.")
  private boolean watch;

  @Override
  public Integer call() throws InterruptedException {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client())) {
      CampaignApi api = new CampaignApi(cluster.http());
      List<MaintenanceCampaignObject> found =
          names.isEmpty() ? sorted(api.all()) : names.stream().map(api::get).toList();
      if (watch) {
        follow(terminal, cluster, found);
      } else {
        output.print(
            terminal,
            found.stream().map(CampaignStatusCommand::whole).toList(),
            _ -> text(terminal, found, Instant.now()).forEach(terminal.out()::println));
      }
    }
    return ExitCode.OK;
  }

  private static List<MaintenanceCampaignObject> sorted(List<MaintenanceCampaignObject> campaigns) {
    return campaigns.stream()
        .sorted(Comparator.comparing(MaintenanceCampaignObject::name))
        .toList();
  }

  /** For programs: the name and the stored status. */
  private static Object whole(MaintenanceCampaignObject campaign) {
    return Map.of("name", campaign.name(), "status", campaign.status());
  }

  private List<String> text(
      Terminal terminal, List<MaintenanceCampaignObject> campaigns, Instant now) {
    int width = terminal.liveOut() ? terminal.columns() : 0;
    if (campaigns.isEmpty()) {
      return List.of("no campaigns; create one with: drydock campaign create");
    }
    if (names.isEmpty()) {
      return CampaignStatusText.table(campaigns, now, width);
    }
    List<String> lines = new ArrayList<>();
    for (MaintenanceCampaignObject campaign : campaigns) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(CampaignStatusText.whole(campaign, now, width));
    }
    return lines;
  }

  private void follow(Terminal terminal, Kube cluster, List<MaintenanceCampaignObject> first)
      throws InterruptedException {
    WakeUp wakeUp = new WakeUp();
    Watch<MaintenanceCampaignObject> live =
        cluster
            .watches()
            .of(
                Watch.Kind.of(MaintenanceCampaignObject.ALL, MaintenanceCampaignObject::read),
                Watch.Listener.waking(wakeUp::ring),
                Backoff.DEFAULT);
    try (live) {
      live.start();
      List<MaintenanceCampaignObject> shown = first;
      List<String> before = List.of();
      LiveText screen = new LiveText(terminal);
      while (!terminal.outLost()) {
        List<String> lines = text(terminal, shown, Instant.now());
        if (!lines.equals(before)) {
          screen.show(lines);
          before = lines;
        }
        if (!shown.isEmpty() && shown.stream().allMatch(MaintenanceCampaignObject::isOver)) {
          return;
        }
        wakeUp.await(REFRESH);
        if (live.state().unsynced().isEmpty()) {
          shown =
              sorted(
                  live.state().items().stream()
                      .filter(each -> names.isEmpty() || names.contains(each.name()))
                      .toList());
        }
      }
    }
  }
}
