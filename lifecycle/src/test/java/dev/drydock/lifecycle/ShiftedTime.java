package dev.drydock.lifecycle;

import dev.drydock.kube.time.TimeSource;
import dev.drydock.testkit.ProcessDeath;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** Real time whose clock can be put forward, for a real cluster; its timers stay as they are. */
final class ShiftedTime extends Clock implements TimeSource {
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

  void forward(Duration time) {
    var _ = ahead.accumulateAndGet(time, Duration::plus);
  }

  @Override
  public Clock clock() {
    return this;
  }

  @Override
  public Duration elapsed() {
    return TimeSource.REAL.elapsed();
  }

  @Override
  public Timer schedule(Duration delay, Runnable work) {
    return TimeSource.REAL.schedule(
        delay,
        () -> {
          try {
            work.run();
          } catch (ProcessDeath _) {
            // nothing comes after it
          }
        });
  }

  @Override
  public Instant instant() {
    return Instant.now().plus(ahead.get());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
