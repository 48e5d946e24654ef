/**
 * The decisions of a drain: pure functions on records, without Kubernetes client, clock or thread.
 *
 * <p>How the parts fit together:
 *
 * <pre>
 * PodFacts, BudgetFacts, NodeFacts       what is seen
 *   -> Observation                        ... at one moment, pods matched with budgets once
 * DrainPolicy, PolicyRule, EvictionMode   what may happen
 *   -> PodVerdicts                        per pod: verdict (PodFilter), mode, tier, guards
 *        -> Planner.plan                  DrainPlan: what would happen, changing nothing
 *        -> DrainDecider.decide           Decision: what to do now
 * EvictionAnswer -> Attempt -> Attempts   what became of earlier decisions
 * Hold, Holds                             who keeps the node out of service
 * </pre>
 *
 * <p>The shell around it makes an {@link dev.drydock.drain.engine.decide.Observation} whenever something
 * changed, asks {@link dev.drydock.drain.engine.decide.DrainDecider}, carries the actions out, notes each
 * as an {@link dev.drydock.drain.engine.decide.Attempt}, and asks again: on the next change, on the next
 * answer, or at {@code wakeAt}. It needs no other timer and never repeats an action by itself.
 *
 * <p>What always holds:
 *
 * <ul>
 *   <li>Pods are known by UID. A pod that comes back under its name is another pod.
 *   <li>Terminating is not gone, and unknown is not done.
 *   <li>A budget is passed over only after a time that the policy names, and then the action says
 *       which budget and why.
 *   <li>While a drain is neither done nor failed, it has an action in flight, a blocker that names
 *       the reason, or a moment at which it will go on.
 *   <li>Losing the attempts, as in a crash, changes no outcome: what was granted shows in the pods.
 * </ul>
 *
 * <p>Evictions of one budget go one after the other, those of different budgets side by side; see
 * {@link dev.drydock.drain.engine.decide.BudgetTurns} for how a lagging watch is dealt with.
 */
package dev.drydock.drain.engine.decide;

import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
