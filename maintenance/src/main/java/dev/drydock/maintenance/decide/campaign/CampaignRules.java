package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import java.util.List;
import java.util.Optional;

/** A campaign's spec and its class's budgets, parsed. */
record CampaignRules(
    LabelSelector selector,
    List<BudgetLevel> budgets,
    Windows windows,
    Batches batches,
    CampaignOrder order,
    Deferral deferral,
    int stopOnFailures,
    boolean approvalRequired) {

  /**
   * The result of parsing.
   *
   * @param rules present if there is no mistake
   */
  record Reading(Optional<CampaignRules> rules, List<SpecMistake> mistakes) {}

  static Reading read(
      MaintenanceCampaignSpec spec, Optional<MaintenanceClassSpec> maintenanceClass) {
    return new CampaignRulesReader().read(spec, maintenanceClass);
  }
}
