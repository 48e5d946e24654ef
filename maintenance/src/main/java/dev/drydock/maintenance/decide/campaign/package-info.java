/**
 * The decisions of campaigns: pure functions on records, without Kubernetes client, clock or
 * thread.
 *
 * <p>How the parts fit together:
 *
 * <pre>
 * FleetNode, Departure -> FleetNodes      nodes in service, out, and allowed to leave
 * NodeLoad, RunHistory                    how long until a node could be empty
 * CampaignState                           a stored campaign and the progress of its nodes
 *   -> CampaignFacts                      all of it at one moment
 *        -> CampaignDecider.decide        a CampaignDecision per campaign, in turns by priority
 *             CampaignRules, CampaignRulesReader  parse the spec; every mistake with its field
 *             StartConditions               approval, failures, Windows (Window, Cron)
 *             NodeOrder                     which node is next
 *             Batches                       how many may leave at all
 *             DomainBudgets                 which of them may leave now
 *        -> CampaignPlan.of               the same, simulated forward in time
 * LedgerEntry, LedgerMaintenance          departures, and maintenances that may need one
 *   -> LedgerDecider                      which departures are over, which maintenances ask
 *        -> SingleDepartures              which of those may leave now
 * CampaignValidation.mistakes             what admission refuses
 * </pre>
 *
 * <p>The shell creates {@link dev.drydock.maintenance.decide.campaign.CampaignFacts} when something
 * has changed or at a wake-up, decides, and carries out the decision: first it writes every
 * starting node to the ledger, in one write that fails if another client has written to it since it
 * was read; only then does it create a maintenance and take its node out of service. An entry stays
 * until that maintenance has ended.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A node that leaves never takes a domain above its limit, however many are out for other
 *       reasons and however late that is observed.
 *   <li>All state is in the API: after a crash anywhere, the same facts give the same decision.
 *   <li>A campaign that starts nothing says why, and until when if that is known.
 *   <li>Nodes that are out for other reasons are left alone until they are back.
 * </ul>
 */
package dev.drydock.maintenance.decide.campaign;
