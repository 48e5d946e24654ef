package dev.drydock.edge.decide;

/** What a failed request says about the API server. */
public final class ApiReach {
  private ApiReach() {}

  /**
   * Whether the API server counts as unreachable: no answer (refused, reset, no name, TLS, too
   * slow), or one that says that it cannot work now. A refusal such as 403 is an answer.
   *
   * @param code the HTTP code; 0 if there was no answer
   */
  public static boolean isUnreachable(int code) {
    return switch (code) {
      case 0, 408, 429 -> true;
      default -> code >= 500;
    };
  }
}
