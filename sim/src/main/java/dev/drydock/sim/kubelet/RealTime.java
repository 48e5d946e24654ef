package dev.drydock.sim.kubelet;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One daemon thread watches the clock and does nothing but start virtual threads. */
final class RealTime implements TimeSource {
  private final InstantSource clock = InstantSource.system();
  private final ScheduledThreadPoolExecutor timers =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("simulated-kubelets-timer").factory());

  RealTime() {
    timers.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public Timer schedule(Duration delay, Runnable work) {
    if (!delay.isPositive()) {
      Thread.startVirtualThread(work);
      return () -> {};
    }
    Future<?> timer =
        timers.schedule(
            () -> Thread.startVirtualThread(work), delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> timer.cancel(false);
  }
}
