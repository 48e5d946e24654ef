package dev.drydock.health.store;

import dev.drydock.kube.ExpectedFailure;

/** The event store, or the ingest in front of it, cannot be used as it is configured. */
public final class StoreMisconfigured extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  /**
   * @param line what is wrong and what to do
   */
  public StoreMisconfigured(String line) {
    super(line);
  }
}
