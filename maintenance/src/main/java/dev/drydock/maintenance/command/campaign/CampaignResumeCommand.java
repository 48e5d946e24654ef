package dev.drydock.maintenance.command.campaign;

import static dev.drydock.kube.Fields.text;

import dev.drydock.maintenance.campaign.MaintenanceCampaignObject;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code drydock campaign resume}. */
@Command(name = "resume", addMethodSubcommands = false, description = "Resume paused campaigns.")
final class CampaignResumeCommand implements Callable<Integer> {
  @Mixin private CampaignChange change = new CampaignChange();

  @Override
  public Integer call() {
    return change.make(
        "resumed", CampaignResumeCommand::objection, spec -> spec.put("paused", false), _ -> {});
  }

  private static Optional<String> objection(MaintenanceCampaignObject campaign) {
    if (Boolean.TRUE.equals(campaign.spec().paused())) {
      return Optional.empty();
    }
    String phase = text(campaign.status(), "phase");
    String why = text(campaign.status().path("waitingFor").path(0), "message");
    return Optional.of(
        "is not paused"
            + (phase.isEmpty() ? "" : "; it is " + phase)
            + (why.isEmpty() ? "" : ": " + why));
  }
}
