package dev.drydock.health.transform;

import dev.drydock.kube.ExpectedFailure;

/** A transformer could not do its work on an event. */
public final class TransformFailure extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  public TransformFailure(String line) {
    super(line);
  }
}
