package dev.drydock.edge.decide;

/**
 * What EVE's EdgeNodeClusterConfig says.
 *
 * @param initialized a record that is not says nothing
 * @param valid whether this node is one of a cluster
 * @param tieBreaker the id of the node that has a vote and no work; empty without one
 */
public record ClusterConfig(boolean initialized, boolean valid, String tieBreaker) {}
