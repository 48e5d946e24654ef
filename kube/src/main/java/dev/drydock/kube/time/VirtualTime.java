package dev.drydock.kube.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that moves only when it is advanced, and stops at every timer on the way. Work runs on
 * the thread that moves it, one action at a time.
 */
public final class VirtualTime extends Clock implements TimeSource {
  private final Timers timers = new Timers(this);
  private volatile Instant now;

  public VirtualTime(Instant start) {
    this.now = start;
  }

  public Timers timers() {
    return timers;
  }

  /** Advances the time: every timer runs at its instant, on the caller's thread. */
  public void advance(Duration duration) {
    advanceTo(now.plus(duration));
  }

  /** Advances the time to this instant; it never goes back. */
  public void advanceTo(Instant end) {
    timers.runDue();
    Instant next = timers.next();
    while (next != null && !next.isAfter(end)) {
      now = next;
      timers.runDue();
      next = timers.next();
    }
    if (end.isAfter(now)) {
      now = end;
    }
  }

  @Override
  public Clock clock() {
    return this;
  }

  @Override
  public Duration elapsed() {
    return Duration.between(Instant.EPOCH, now);
  }

  @Override
  public Timer schedule(Duration delay, Runnable work) {
    Object key = new Object();
    timers.set(key, delay.isPositive() ? now.plus(delay) : now, work);
    return () -> timers.cancel(key);
  }

  @Override
  public Instant instant() {
    return now;
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
