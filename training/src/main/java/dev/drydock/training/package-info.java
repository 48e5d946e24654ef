/**
 * A cluster in a box for the launcher's training run: just enough of an API server, on a loopback
 * port of this process, for commands to go through all they do on a real one.
 */
package dev.drydock.training;
