package dev.drydock.slingshot.retry;

import dev.drydock.kube.ExpectedFailure;

/** A retry handler cannot be started, or its end cannot be recorded. */
final class HandlerUnusable extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  HandlerUnusable(String line) {
    super(line);
  }
}
