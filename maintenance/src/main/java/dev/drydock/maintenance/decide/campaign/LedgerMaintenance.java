package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A maintenance that may need an entry of the ledger.
 *
 * @param label the campaign that its label names, which proves nothing
 * @param campaignFinalizer whether it has the finalizer that campaigns set
 * @param campaign that made it, if one did that is still there
 */
public record LedgerMaintenance(
    MaintenanceFacts facts,
    Optional<String> label,
    boolean campaignFinalizer,
    Optional<Campaign> campaign) {

  /**
   * The campaign that made a maintenance.
   *
   * @param budgets those of the campaign itself
   * @param recordLost whether it is not known which nodes it has done
   * @param done whether it has done the node of this maintenance
   */
  public record Campaign(@Nullable List<DomainBudget> budgets, boolean recordLost, boolean done) {}

  /** Whether a campaign made it, as far as can be told while campaigns are not known. */
  boolean seemsMadeByCampaign() {
    return label.isPresent() || campaignFinalizer;
  }
}
