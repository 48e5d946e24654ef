package dev.drydock.kube;

import java.net.HttpURLConnection;

/** The API server said no, or nothing; the message is one line for a person. */
public final class ApiFailure extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  private final int code;

  public ApiFailure(int code, String message) {
    super(message);
    this.code = code;
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

  /** Somebody else wrote first: reading again is all there is to do. */
  @Override
  public boolean isNews() {
    return code != HttpURLConnection.HTTP_CONFLICT;
  }
}
