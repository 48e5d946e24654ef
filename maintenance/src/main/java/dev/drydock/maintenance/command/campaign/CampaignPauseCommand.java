package dev.drydock.maintenance.command.campaign;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code drydock campaign pause}. */
@Command(
    name = "pause",
    addMethodSubcommands = false,
    description = "Pause campaigns; maintenances that have started continue.")
final class CampaignPauseCommand implements Callable<Integer> {
  @Mixin private CampaignChange change = new CampaignChange();

  @Override
  public Integer call() {
    return change.make("paused", spec -> spec.put("paused", true), _ -> {});
  }
}
