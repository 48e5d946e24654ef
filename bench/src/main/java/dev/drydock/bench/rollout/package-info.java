/**
 * Measures a roll-out of a CXI driver over many nodes, in virtual time: a whole operator on a
 * simulated cluster, and a model of the driver agents, whose installs take between two and six
 * minutes, the same on a node in every run. Nodes have no pods but those of the CXIDriver.
 */
package dev.drydock.bench.rollout;
