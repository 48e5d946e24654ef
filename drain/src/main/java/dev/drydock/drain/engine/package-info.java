/**
 * Drains on a real cluster: the thin shell around {@link dev.drydock.drain.engine.decide}.
 *
 * <pre>
 * DrainEngine       the engine: what runs share (concurrency, budgets, look-ups), many nodes at once
 *   DrainRun        one node: observes, decides and acts on every change
 *     NodeObserver  what it sees of its node; the watches are its own or shared (NodeWatches)
 *     PodEvictions  evictions, deletions, the out-of-service taint
 * DrainPlanReader   one look at a node, and what a drain would do
 * </pre>
 *
 * <p>Everything is level-triggered: sources keep the latest facts and only say that something
 * changed. A run then reads all of them, so changes that come together are one decision, and
 * nothing depends on having seen every step. All state is in the cluster; a run that is killed
 * continues in another process from the hold's time.
 *
 * <p>Answers are read with Jackson straight into facts. The client library's model classes would be
 * hundreds of classes to load before the first eviction and would keep what no decision needs.
 */
package dev.drydock.drain.engine;
