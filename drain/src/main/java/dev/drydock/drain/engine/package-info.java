/**
 * Drains on a real cluster: the thin shell around {@link dev.drydock.drain.decide}.
 *
 * <pre>
 * DrainEngine       the engine: what runs share (concurrency, budgets, look-ups), many nodes at once
 *   DrainRun          one node: looks at everything, decides, acts, looks again
 *     Watch         a list and a watch, as facts: the node's pods, its budgets, the node
 *     PodActions        evictions, deletions, the out-of-service taint
 * NodeHolds         who keeps a node out of service, changed together with the cordon
 * DrainPlanReader   one look at a node, and what a drain would do
 * KubeHttp          every request goes through here
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
