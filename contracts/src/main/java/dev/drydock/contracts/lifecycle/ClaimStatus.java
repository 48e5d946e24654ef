package dev.drydock.contracts.lifecycle;

import java.util.Arrays;

/** How far a LifecycleEvent is; the names are those of the API. */
public enum ClaimStatus {
  Pending,
  Claimed,
  Succeeded,
  Failed,
  SlaExpired;

  /**
   * One that nobody has looked at yet is pending; with a word that is not known here somebody else
   * is at work.
   */
  public static ClaimStatus of(String text) {
    return Arrays.stream(values())
        .filter(status -> status.name().equals(text))
        .findFirst()
        .orElse(text.isEmpty() ? Pending : Claimed);
  }

  /** Whether nothing comes after it. */
  public boolean isTerminal() {
    return this != Pending && this != Claimed;
  }
}
