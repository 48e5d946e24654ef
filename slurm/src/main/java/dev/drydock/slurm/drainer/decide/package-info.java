/** Pure decisions about drains of nodes that run Slurm workers. */
package dev.drydock.slurm.drainer.decide;
