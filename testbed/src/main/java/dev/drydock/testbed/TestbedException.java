package dev.drydock.testbed;

import org.jspecify.annotations.Nullable;

/** The testbed failed; the message is one line that says why and what to do. */
public class TestbedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TestbedException(String message) {
    super(message);
  }

  public TestbedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
