package dev.drydock.maintenance.command.campaign;

import dev.drydock.contracts.v1alpha1.CampaignNames;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drydock campaign approve}. */
@Command(
    name = "approve",
    addMethodSubcommands = false,
    description = "Approve campaigns that were created with --approval.")
final class CampaignApproveCommand implements Callable<Integer> {
  @Mixin private CampaignChange change = new CampaignChange();

  @Option(names = "--by", paramLabel = "NAME", description = "The approver's name. Default: you.")
  private @Nullable String by;

  @Override
  public Integer call() {
    String who = by == null ? System.getProperty("user.name") : by;
    return change.make(
        "approved by " + who,
        _ -> {},
        annotations -> annotations.put(CampaignNames.APPROVED_BY, who));
  }
}
