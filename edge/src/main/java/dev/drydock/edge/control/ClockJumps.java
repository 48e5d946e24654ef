package dev.drydock.edge.control;

import java.time.Duration;
import java.time.Instant;

/** Notices that the clock was set, by the time that has really passed. */
final class ClockJumps {
  /** A clock that is only made faster or slower differs by less between two looks. */
  private static final Duration LEAST = Duration.ofSeconds(5);

  private Instant lastTime;
  private Duration lastElapsed;

  ClockJumps(Instant time, Duration elapsed) {
    lastTime = time;
    lastElapsed = elapsed;
  }

  /** By how much since the last look; zero if it was not set. */
  Duration jump(Instant time, Duration elapsed) {
    Duration jump = Duration.between(lastTime, time).minus(elapsed.minus(lastElapsed));
    lastTime = time;
    lastElapsed = elapsed;
    return jump.abs().compareTo(LEAST) < 0 ? Duration.ZERO : jump;
  }
}
