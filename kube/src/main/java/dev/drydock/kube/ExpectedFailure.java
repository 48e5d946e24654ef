package dev.drydock.kube;

/**
 * A failure outside this process: a request failed, or an object cannot be read. A control loop
 * reports it and retries; anything else that a step throws is a bug.
 */
public abstract class ExpectedFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String line;

  /**
   * @param line one line for people
   */
  protected ExpectedFailure(String line) {
    super(line);
    this.line = line;
  }

  @Override
  public final String getMessage() {
    return line;
  }

  /** Whether it should be logged. */
  public boolean shouldLog() {
    return true;
  }
}
