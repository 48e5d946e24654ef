/** Pure decisions of the bridge between Kubernetes and Slurm. */
package dev.drydock.slurm.bridge.decide;
