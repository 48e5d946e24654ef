package dev.drydock.maintenance.command.campaign;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code drydock campaign stop}. */
@Command(
    name = "stop",
    addMethodSubcommands = false,
    description = "End campaigns; maintenances that have started continue.")
final class CampaignStopCommand implements Callable<Integer> {
  static final String STOPPED = "stopped";

  @Mixin private CampaignChange change = new CampaignChange();

  @Override
  public Integer call() {
    return change.make(STOPPED, spec -> spec.put("stopped", true), _ -> {});
  }
}
