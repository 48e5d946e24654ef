package dev.drydock.health.connector.decide;

/**
 * Why a call is refused.
 *
 * @param reason the word in metrics
 * @param message for the caller
 */
public record Refusal(Kind kind, String reason, String message) {
  /** The status of the answer. */
  public enum Kind {
    UNAUTHENTICATED,
    PERMISSION_DENIED,
    INVALID_ARGUMENT,
    UNAVAILABLE,
    DEADLINE_EXCEEDED,
    INTERNAL
  }

  /** Whether {@code audit} lets the call pass nevertheless. */
  public boolean passesAudit() {
    return kind != Kind.INVALID_ARGUMENT;
  }
}
