/**
 * What every program on a node reads from the host: NICs, kernel modules, retry handlers. Nothing
 * here talks to a cluster.
 */
package dev.drydock.slingshot.node;
