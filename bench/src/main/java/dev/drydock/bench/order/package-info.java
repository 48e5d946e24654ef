/**
 * Measures the effect of a campaign's node order, in virtual time.
 *
 * <p>The model: every node runs jobs without a break, one after another in each of its slots, until
 * it is cordoned. Jobs are allowed to finish, never evicted. A node is out of service from its
 * cordon until its jobs have ended and the work on it, which always takes the same time, is done.
 * The real campaign decisions choose the nodes; of a job they know its age, the run times of its
 * owner's earlier jobs, and for some jobs a time limit, but not its end. Both orders get the same
 * jobs.
 */
package dev.drydock.bench.order;
