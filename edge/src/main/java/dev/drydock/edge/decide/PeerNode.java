package dev.drydock.edge.decide;

/**
 * A node of the cluster, as far as drains at the edge care.
 *
 * @param uuid its label {@code node-uuid}; empty without one
 * @param schedulable neither cordoned nor tainted {@code node.kubernetes.io/unschedulable}
 * @param tieBreaker kept cordoned for good: it has a vote and no work
 * @param member whether it has a vote in etcd
 * @param edgeHold whether a drain at the edge keeps it out of service
 * @param driverMissing why it would come back from a boot without its network driver; empty if it
 *     would not
 */
public record PeerNode(
    String name,
    String uuid,
    boolean schedulable,
    boolean ready,
    boolean tieBreaker,
    boolean member,
    boolean edgeHold,
    String driverMissing) {}
