package dev.drydock.kube;

/**
 * Something outside this process is not as it should be: a request failed, an object cannot be
 * read. A control loop reports it and tries again; anything else that a step throws is a bug.
 */
public abstract class ExpectedFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String line;

  /**
   * @param line one line for a person
   */
  protected ExpectedFailure(String line) {
    super(line);
    this.line = line;
  }

  @Override
  public final String getMessage() {
    return line;
  }

  /** Whether it is worth a line in the log. */
  public boolean isNews() {
    return true;
  }
}
