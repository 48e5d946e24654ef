package dev.drydock.testkit;

/** A process dies, in a test. No loop may catch it: it is no bug, and nothing comes after it. */
public final class ProcessDeath extends Error {
  private static final long serialVersionUID = 1L;

  public ProcessDeath() {
    super("the process is dead", null, false, false);
  }
}
