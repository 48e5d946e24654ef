package dev.drydock.maintenance.command.campaign;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock campaign}: maintains many nodes, within budgets, windows and batches. */
@Command(
    name = "campaign",
    addMethodSubcommands = false,
    description = "Maintain many nodes, within budgets, windows and batches.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CampaignCreateCommand.class,
      CampaignPlanCommand.class,
      CampaignStatusCommand.class,
      CampaignPauseCommand.class,
      CampaignResumeCommand.class,
      CampaignApproveCommand.class,
      CampaignStopCommand.class
    })
public final class CampaignCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).commandLine();
    line.usage(line.getOut());
    return ExitCode.OK;
  }
}
