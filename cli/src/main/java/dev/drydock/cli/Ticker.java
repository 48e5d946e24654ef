package dev.drydock.cli;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Redraws a display regularly. Its thread does not keep the program running. */
public final class Ticker implements AutoCloseable {
  private final ScheduledExecutorService timer;

  public Ticker(String name, Duration period, Runnable draw) {
    timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(name).factory());
    var _ = timer.scheduleWithFixedDelay(draw, 0, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Returns when the last drawing has ended. */
  @Override
  public void close() {
    timer.close();
  }
}
