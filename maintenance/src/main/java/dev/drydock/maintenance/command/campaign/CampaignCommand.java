package dev.drydock.maintenance.command.campaign;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.DrydockCommand;
import picocli.CommandLine.Command;

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
public final class CampaignCommand extends CommandGroup implements DrydockCommand {}
