package dev.drydock.kube;

import java.net.HttpURLConnection;

/** The API server refused a request or did not answer; the message is one line for people. */
public final class ApiFailure extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  private final int code;

  public ApiFailure(int code, String message) {
    super(message);
    this.code = code;
  }

  /** Nothing can be created in a namespace that does not exist. */
  public static ApiFailure noNamespace(String namespace) {
    return new ApiFailure(
        HttpURLConnection.HTTP_NOT_FOUND,
        "namespace %s does not exist; run: kubectl create namespace %1$s".formatted(namespace));
  }

  /** The HTTP code; 0 if there was no answer, so it is unknown whether the request was executed. */
  public int code() {
    return code;
  }

  /** Whether the same request may succeed later. */
  public boolean isRetriable() {
    return isRetriable(code);
  }

  static boolean isRetriable(int code) {
    return switch (code) {
      case 0, 401, 408, 409, 410, 429 -> true;
      default -> code >= 500;
    };
  }

  /** Not for a conflict: another client wrote first, and the caller reads the object again. */
  @Override
  public boolean shouldLog() {
    return code != HttpURLConnection.HTTP_CONFLICT;
  }
}
