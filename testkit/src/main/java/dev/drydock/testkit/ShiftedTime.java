package dev.drydock.testkit;

import dev.drydock.kube.time.TimeSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** Time with a wrong clock; timers are not affected. */
public final class ShiftedTime implements TimeSource {
  private final TimeSource time;
  private final AtomicReference<Duration> ahead;

  public ShiftedTime(TimeSource time, Duration ahead) {
    this(time, new AtomicReference<>(ahead));
  }

  /**
   * @param ahead how far the clock is ahead, which may change
   */
  public ShiftedTime(TimeSource time, AtomicReference<Duration> ahead) {
    this.time = time;
    this.ahead = ahead;
  }

  @Override
  public Clock clock() {
    return new Shifted();
  }

  @Override
  public Duration elapsed() {
    return time.elapsed();
  }

  @Override
  public Timer schedule(Duration delay, Runnable work) {
    return time.schedule(delay, work);
  }

  private final class Shifted extends Clock {
    @Override
    public Instant instant() {
      return time.now().plus(ahead.get());
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
