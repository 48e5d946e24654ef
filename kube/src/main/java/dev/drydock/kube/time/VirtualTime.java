package dev.drydock.kube.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until it is moved, and that stops at every timer on its way. Work runs
 * in the thread of whoever moves it, one piece after another.
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

  /** Lets time pass: every timer runs at its instant, in the caller's thread. */
  public void advance(Duration duration) {
    advanceTo(now.plus(duration));
  }

  /** Lets time pass until then; time never goes back. */
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
