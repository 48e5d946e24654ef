/**
 * {@code drydock export}: a look at a live cluster, as a fleet file.
 *
 * <pre>
 * ApiLists         lists of the API, page by page
 * NodeRecords      Nodes into pools
 * PodRecords       Pods into workloads
 * Anonymizer       the same fleet with names that say nothing
 * </pre>
 *
 * <p>Of each object only what a fleet file holds is kept, and nothing else leaves the page it was
 * read in: no environment, no annotation but the simulation's own, no image.
 */
package dev.drydock.simulate.export;
