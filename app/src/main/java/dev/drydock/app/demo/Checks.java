package dev.drydock.app.demo;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Compares what the story claims with what the API says, and tells the result in a line each. What
 * is not so yet may still become so: each change in the cluster is a reason to look again.
 */
final class Checks {
  private final Screen screen;
  private final News news;
  private final Clock clock;
  private final Duration patience;
  private int passed;

  Checks(Screen screen, News news, Clock clock, Duration patience) {
    this.screen = screen;
    this.news = news;
    this.clock = clock;
    this.patience = patience;
  }

  /** Returns when {@code found} gives what is expected; fails if it does not in time. */
  void check(String what, String expected, Supplier<String> found) {
    Instant deadline = clock.instant().plus(patience);
    try {
      while (true) {
        long before = news.count();
        String now = found.get();
        if (now.equals(expected)) {
          passed++;
          screen.line("ok: " + what);
          return;
        }
        if (!news.await(before, deadline)) {
          String difference = "%s: expected %s, found %s".formatted(what, expected, now);
          screen.line("failed: " + difference);
          throw new CheckFailed(difference);
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new CheckFailed(what + ": interrupted");
    }
  }

  void check(String what, boolean expected, Supplier<Boolean> found) {
    check(what, String.valueOf(expected), () -> String.valueOf(found.get()));
  }

  int passed() {
    return passed;
  }
}
