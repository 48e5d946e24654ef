package dev.drydock.health.drainer.decide;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How the pods of a namespace leave. */
public enum DrainMode {
  /** Evicted at once. */
  IMMEDIATE("Immediate"),
  /** Waited for. */
  ALLOW_COMPLETION("AllowCompletion"),
  /** Waited for until a time, then deleted. */
  DELETE_AFTER_TIMEOUT("DeleteAfterTimeout");

  private final String word;

  DrainMode(String word) {
    this.word = word;
  }

  public static Optional<DrainMode> find(String word) {
    return Arrays.stream(values()).filter(mode -> mode.word.equals(word)).findFirst();
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(mode -> mode.word).toList();
  }
}
