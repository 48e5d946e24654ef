/**
 * The decisions of a drain: pure functions on records, without Kubernetes client, clock or thread.
 *
 * <p>How the parts fit together:
 *
 * <pre>
 * PodFacts, BudgetFacts, NodeFacts       the observed facts
 *   -> Observation                        at one moment, pods matched with budgets once
 * DrainPolicy, PolicyRule, EvictionMode   what may happen
 *   -> PodVerdicts                        per pod: verdict (PodFilter), mode, tier, guards
 *        -> Planner.plan                  DrainPlan: what would happen
 *        -> DrainDecider.decide           Decision: what to do now
 * EvictionAnswer -> Attempt -> Attempts   the results of earlier decisions
 * </pre>
 *
 * <p>The shell around it makes an {@link dev.drydock.drain.engine.decide.Observation} whenever
 * something changed, asks {@link dev.drydock.drain.engine.decide.DrainDecider}, carries the actions
 * out, notes each as an {@link dev.drydock.drain.engine.decide.Attempt}, and asks again: on the
 * next change, on the next answer, or at {@code wakeAt}. It needs no other timer and never repeats
 * an action by itself.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Pods are identified by UID. A pod recreated with the same name is another pod.
 *   <li>Terminating is not gone, and unknown is not done.
 *   <li>A budget is bypassed only after a time set by the policy, and then the action names the
 *       budget and the reason.
 *   <li>While a drain is neither done nor failed, it has an action in flight, a blocker that names
 *       the reason, or a time at which it will continue.
 *   <li>Losing the attempts in a crash changes no outcome: granted requests show in the pods.
 * </ul>
 *
 * <p>Evictions of one budget go one after the other, those of different budgets side by side; see
 * {@link dev.drydock.drain.engine.decide.BudgetTurns} for how a lagging watch is dealt with.
 */
package dev.drydock.drain.engine.decide;
