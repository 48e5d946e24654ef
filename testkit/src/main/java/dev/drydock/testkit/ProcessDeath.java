package dev.drydock.testkit;

/**
 * Simulates the death of a process in a test. No loop may catch it: it is not a bug, and nothing
 * runs after it.
 */
public final class ProcessDeath extends Error {
  private static final long serialVersionUID = 1L;

  public ProcessDeath() {
    super("the process is dead", null, false, false);
  }
}
