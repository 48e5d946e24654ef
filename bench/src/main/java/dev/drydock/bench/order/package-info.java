/**
 * What the order in which a campaign takes its nodes is worth, in virtual time.
 *
 * <p>The model: every node runs jobs without a break, one after the other in each of its slots,
 * until it is cordoned. Jobs are let finish, never evicted. A node is out of service from its
 * cordon until its jobs have ended and the work on it, which always takes as long, is done. The
 * real decisions of campaigns choose the nodes; they know of a job its age, how long earlier jobs
 * of its owner ran, and of some jobs a time limit, but not its end. Both orders meet the same jobs.
 */
package dev.drydock.bench.order;
