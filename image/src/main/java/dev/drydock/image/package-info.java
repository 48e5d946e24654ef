/**
 * Builds the container image from the program's jars, a Java runtime and a few packages of Debian,
 * with neither a registry nor a container runtime. The same sources give the same image.
 */
package dev.drydock.image;
