package dev.drydock.slingshot.driver;

import dev.drydock.kube.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Path;

/** The other programs on the node cannot be told that the driver is being replaced. */
final class MarkerFailure extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  MarkerFailure(Path file, IOException cause) {
    super("cannot change %s: %s".formatted(file, cause.getMessage()));
    initCause(cause);
  }
}
