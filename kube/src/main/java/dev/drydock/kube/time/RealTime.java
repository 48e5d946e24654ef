package dev.drydock.kube.time;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** One daemon thread waits for due timers and only starts virtual threads. */
final class RealTime implements TimeSource {
  /** A longer wait would overflow the timer; endless waits end by a wake-up. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(365);

  /** The machine's timer may be negative. */
  private static final long START = System.nanoTime();

  private final Clock clock = Clock.systemUTC();
  private final ScheduledThreadPoolExecutor timers =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("timer").factory());

  RealTime() {
    timers.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - START);
  }

  @Override
  public double random() {
    return ThreadLocalRandom.current().nextDouble();
  }

  @Override
  public Timer schedule(Duration delay, Runnable work) {
    if (!delay.isPositive()) {
      Thread.startVirtualThread(work);
      return Timer.NONE;
    }
    Duration wait = delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    Future<?> timer =
        timers.schedule(
            () -> Thread.startVirtualThread(work), wait.toNanos(), TimeUnit.NANOSECONDS);
    return () -> timer.cancel(false);
  }
}
