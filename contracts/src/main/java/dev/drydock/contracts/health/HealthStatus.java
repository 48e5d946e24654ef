package dev.drydock.contracts.health;

import java.util.Arrays;
import java.util.Optional;

/** The words for states in the documents of health events. Others occur and are kept. */
public enum HealthStatus {
  NOT_STARTED("NotStarted"),
  IN_PROGRESS("InProgress"),
  FAILED("Failed"),
  SUCCEEDED("Succeeded"),
  ALREADY_DRAINED("AlreadyDrained"),
  UN_QUARANTINED("UnQuarantined"),
  QUARANTINED("Quarantined"),
  ALREADY_QUARANTINED("AlreadyQuarantined"),
  CANCELLED("Cancelled");

  private final String word;

  HealthStatus(String word) {
    this.word = word;
  }

  /** The word on the wire. */
  public String word() {
    return word;
  }

  public boolean is(String text) {
    return word.equals(text);
  }

  public static Optional<HealthStatus> find(String word) {
    return Arrays.stream(values()).filter(each -> each.is(word)).findFirst();
  }
}
