/** Nodes and Pods that Slurm uses, as values. */
package dev.drydock.slurm.worker.decide;
