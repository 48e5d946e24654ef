package dev.drydock.kube;

/** The API server said no, or nothing; the message is one line for a person. */
public final class ApiFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final String line;

  public ApiFailure(int code, String message) {
    super(message);
    this.code = code;
    this.line = message;
  }

  @Override
  public String getMessage() {
    return line;
  }

  /** The HTTP code; 0 when there was no answer, so that nobody knows what was done. */
  public int code() {
    return code;
  }

  /** Whether the same request may well succeed later. */
  public boolean passing() {
    return switch (code) {
      case 0, 401, 408, 409, 410, 429 -> true;
      default -> code >= 500;
    };
  }
}
