package dev.drydock.contracts.lifecycle;

import java.util.Arrays;

/** The claim status of a LifecycleEvent, with the names of the API. */
public enum ClaimStatus {
  Pending,
  Claimed,
  Succeeded,
  Failed,
  SlaExpired;

  /**
   * An event without a status is pending; an unknown status means that another claimer is working
   * on it.
   */
  public static ClaimStatus of(String text) {
    return Arrays.stream(values())
        .filter(status -> status.name().equals(text))
        .findFirst()
        .orElse(text.isEmpty() ? Pending : Claimed);
  }

  /** Whether it is final. */
  public boolean isTerminal() {
    return this != Pending && this != Claimed;
  }
}
