package dev.drydock.contracts.lifecycle;

/** How far a LifecycleEvent is; the names are those of the API. */
public enum ClaimStatus {
  Pending,
  Claimed,
  Succeeded,
  Failed,
  SlaExpired;

  /** One that nobody has looked at yet is pending. */
  public static ClaimStatus of(String text) {
    return text.isEmpty() ? Pending : valueOf(text);
  }

  /** Whether nothing comes after it. */
  public boolean isTerminal() {
    return this != Pending && this != Claimed;
  }
}
