package dev.drydock.cli;

import java.util.concurrent.Callable;

/**
 * A top-level command of {@code drydock}. Implementations carry picocli annotations and are listed
 * as services, so that a module brings its commands along when it is on the class path: the
 * container image has no {@code cluster}, a source tree has.
 */
public interface DrydockCommand extends Callable<Integer> {}
