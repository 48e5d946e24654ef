/**
 * Carries campaigns out: {@link dev.drydock.maintenance.campaign.CampaignController} looks, asks
 * {@code decide.campaign} and acts.
 *
 * <p>No node leaves without an entry in the {@link
 * dev.drydock.maintenance.campaign.DepartureLedger}, be it for a campaign or for a single
 * maintenance with a class. The ledger is read, then the nodes, both past all caches; then the
 * entries are written, which fails if the ledger changed since. An entry goes when its maintenance
 * is over. So between two readers of the ledger either the one sees the other's entry or its write
 * fails: budgets hold whatever processes and caches there are.
 */
package dev.drydock.maintenance.campaign;
