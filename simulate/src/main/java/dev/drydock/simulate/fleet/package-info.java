/**
 * Fleet files: a cluster in few words, and what happens to it.
 *
 * <pre>
 * Fleet          pools of nodes, workloads, budgets, a scenario
 * FleetReader    a file into a Fleet; all that is wrong in it, a line each
 * FleetWarnings  what it says but hardly means, a line each
 * FleetWriter    a Fleet into a file that says the same
 * </pre>
 */
package dev.drydock.simulate.fleet;
