package dev.drydock.health.decide;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** The values of a Node's label that says how far the handling of its failure is. */
public enum StateLabel {
  QUARANTINED("quarantined"),
  DRAINING("draining"),
  DRAIN_SUCCEEDED("drain-succeeded"),
  DRAIN_FAILED("drain-failed"),
  REMEDIATING("remediating"),
  REMEDIATION_SUCCEEDED("remediation-succeeded"),
  REMEDIATION_FAILED("remediation-failed");

  private final String word;

  StateLabel(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  public static Optional<StateLabel> find(String word) {
    return Arrays.stream(values()).filter(label -> label.word.equals(word)).findFirst();
  }

  /** Whether clients expect this change. Other changes are made, too, and counted. */
  public static boolean isExpected(Optional<StateLabel> before, Optional<StateLabel> after) {
    if (before.equals(after) || after.isEmpty()) {
      return true;
    }
    return before.map(StateLabel::next).orElse(Set.of(QUARANTINED)).contains(after.get());
  }

  private Set<StateLabel> next() {
    return switch (this) {
      case QUARANTINED -> Set.of(DRAINING, DRAIN_SUCCEEDED);
      case DRAINING -> Set.of(DRAIN_SUCCEEDED, DRAIN_FAILED);
      case DRAIN_SUCCEEDED -> Set.of(REMEDIATING);
      case DRAIN_FAILED -> Set.of();
      case REMEDIATING -> Set.of(REMEDIATION_SUCCEEDED, REMEDIATION_FAILED);
      case REMEDIATION_SUCCEEDED -> Set.of(REMEDIATION_FAILED, REMEDIATING);
      case REMEDIATION_FAILED -> Set.of(REMEDIATION_SUCCEEDED, REMEDIATING);
    };
  }
}
