/**
 * {@code drydock export}: writes a live cluster to a fleet file.
 *
 * <pre>
 * ApiLists         reads lists page by page
 * NodeRecords      Nodes into pools
 * PodRecords       Pods into workloads
 * Anonymizer       replaces names by meaningless ones
 * </pre>
 *
 * <p>Only the fields of a fleet file are kept of each object: no environment variables, no images,
 * and only the simulation's own annotations.
 */
package dev.drydock.simulate.export;
