package dev.drydock.health.store;

import dev.drydock.kube.ExpectedFailure;

/** The event store does not answer or refuses. */
public final class StoreUnavailable extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  /**
   * @param line what failed and why
   */
  public StoreUnavailable(String line, Throwable cause) {
    super(line);
    initCause(cause);
  }
}
