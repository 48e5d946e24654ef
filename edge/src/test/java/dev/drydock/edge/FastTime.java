package dev.drydock.edge;

import dev.drydock.kube.time.TimeSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Time that passes faster than real time, so that an agent's minutes are seconds on a real API
 * server. All processes of a test run share it: a machine's clock goes on after a restart.
 */
final class FastTime implements TimeSource {
  static final int FASTER = 20;

  private static final Instant START = TimeSource.REAL.now();
  private static final Duration START_ELAPSED = TimeSource.REAL.elapsed();

  @Override
  public Clock clock() {
    return new FastClock();
  }

  @Override
  public Duration elapsed() {
    return TimeSource.REAL.elapsed().minus(START_ELAPSED).multipliedBy(FASTER);
  }

  @Override
  public Timer schedule(Duration delay, Runnable work) {
    return TimeSource.REAL.schedule(delay.dividedBy(FASTER), work);
  }

  private final class FastClock extends Clock {
    @Override
    public Instant instant() {
      return START.plus(elapsed());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new IllegalArgumentException("in UTC only");
    }
  }
}
