package dev.drydock.cli;

/**
 * Turns exceptions of a module into a {@link CommandFailure} that says what to do. It is a service,
 * so that every command line explains the failures of all modules on its class path.
 */
public interface FailureExplanation {
  /** The exception to report: the given one if there is nothing to explain. */
  Exception explain(Exception failure);
}
