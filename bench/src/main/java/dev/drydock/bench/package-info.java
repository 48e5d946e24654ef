/** Compares drains with the real kubectl, in one run on one test cluster. */
package dev.drydock.bench;
