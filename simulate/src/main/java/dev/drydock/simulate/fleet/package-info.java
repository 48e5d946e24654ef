/**
 * Fleet files: a compact description of a cluster and a scenario.
 *
 * <pre>
 * Fleet          pools of nodes, workloads, budgets, a scenario
 * FleetReader    parses a file; reports all mistakes, one line each
 * FleetWarnings  probable mistakes, one line each
 * FleetWriter    writes a Fleet to a file
 * </pre>
 */
package dev.drydock.simulate.fleet;
