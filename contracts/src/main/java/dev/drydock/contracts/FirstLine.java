package dev.drydock.contracts;

import org.jspecify.annotations.Nullable;

/** Messages of others as one line, for messages of ours. */
public final class FirstLine {
  private FirstLine() {}

  /** Empty for a text without a line. */
  public static String of(@Nullable String text) {
    return text == null ? "" : text.lines().findFirst().orElse("").strip();
  }

  /** The first line of the message; an exception without one is named by its class. */
  public static String of(Throwable failure) {
    String line = of(failure.getMessage());
    return line.isEmpty() ? failure.getClass().getSimpleName() : line;
  }
}
