/**
 * The decisions of campaigns: pure functions on records, without Kubernetes client, clock or
 * thread.
 *
 * <p>How the parts fit together:
 *
 * <pre>
 * FleetNode, Departure -> FleetNodes      who is in service, who is out, who was allowed to leave
 * NodeLoad, RunHistory                    how long until a node could be empty
 * CampaignState                           a campaign as it is stored, and what became of its nodes
 *   -> CampaignFacts                      ... all of it at one moment
 *        -> CampaignDecider.decide        a CampaignDecision per campaign, in turns by priority
 *             CampaignRules, CampaignRulesReader  the spec, read; every mistake with its field
 *             StartConditions               people, failures, Windows (Window, Cron)
 *             NodeOrder                     which node is next
 *             Batches                       how many may leave at all
 *             DomainBudgets                 which of them may leave now
 *        -> CampaignPlan.of               the same, made forward in time
 * CampaignValidation.mistakes             what admission refuses
 * </pre>
 *
 * <p>The shell makes {@link dev.drydock.maintenance.decide.campaign.CampaignFacts} whenever
 * something changed or a wake-up came, asks, and carries out: first it writes every node that
 * starts into the ledger, in one write that fails if anybody else has written to it since it was
 * read; only then is a maintenance created and its node taken out of service. An entry stays until
 * that maintenance is over.
 *
 * <p>What always holds:
 *
 * <ul>
 *   <li>A node that leaves never takes a domain above its limit, however many are out for other
 *       reasons and however late that is seen.
 *   <li>Nothing is remembered but what the API stores: crash anywhere, and the same facts give the
 *       same decision.
 *   <li>A campaign that starts nothing says why, and when that will be over if anybody can know.
 *   <li>Nodes that are out for somebody else's reasons are left alone until they are back.
 * </ul>
 */
package dev.drydock.maintenance.decide.campaign;
