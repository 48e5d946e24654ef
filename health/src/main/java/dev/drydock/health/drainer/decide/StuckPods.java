package dev.drydock.health.drainer.decide;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What becomes of pods that do not end: not ready for too long, or long since deleted. */
public enum StuckPods {
  /** They are not waited for, and named. */
  LEAVE("leave"),
  /** They are deleted without grace period. */
  FORCE_DELETE("forceDelete"),
  /** They are waited for, and named. */
  WAIT("wait");

  private final String word;

  StuckPods(String word) {
    this.word = word;
  }

  public static Optional<StuckPods> find(String word) {
    return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(each -> each.word).toList();
  }
}
