package dev.drydock.cli;

import java.util.concurrent.Callable;

/**
 * A top-level command of {@code drydock}. Implementations carry picocli annotations and are listed
 * as services, so a module's commands are available when the module is on the class path: a source
 * tree has {@code cluster}, the container image does not.
 */
public interface DrydockCommand extends Callable<Integer> {}
