package dev.drydock.edge;

import dev.drydock.kube.time.TimeSource;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** The time of a machine whose clock somebody sets: what has passed does not change by that. */
record SetClock(TimeSource time, AtomicReference<Duration> ahead) implements TimeSource {
  @Override
  public Clock clock() {
    return Clock.offset(time.clock(), ahead.get());
  }

  @Override
  public Duration elapsed() {
    return time.elapsed();
  }

  @Override
  public Timer schedule(Duration delay, Runnable work) {
    return time.schedule(delay, work);
  }
}
