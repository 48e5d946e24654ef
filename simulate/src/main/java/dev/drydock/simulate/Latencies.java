package dev.drydock.simulate;

import dev.drydock.kube.time.TimeSource;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;

/** Virtual time in which every request takes a time drawn from the seed. */
final class Latencies implements TimeSource {
  private static final int WATCH_AT_LEAST_MS = 5;
  private static final int WATCH_AT_MOST_MS = 20;
  private static final int CALL_AT_LEAST_MS = 8;
  private static final int CALL_AT_MOST_MS = 30;

  private final TimeSource time;
  private final Random random;

  Latencies(TimeSource time, long seed) {
    this.time = time;
    this.random = new Random(seed);
  }

  @Override
  public Clock clock() {
    return time.clock();
  }

  @Override
  public Duration elapsed() {
    return time.elapsed();
  }

  @Override
  public Timer schedule(Duration delay, Runnable work) {
    return time.schedule(delay, work);
  }

  @Override
  public void execute(Runnable work) {
    var _ = time.schedule(draw(CALL_AT_LEAST_MS, CALL_AT_MOST_MS), work);
  }

  /** The delay between a change and its watch event. */
  Duration watch() {
    return draw(WATCH_AT_LEAST_MS, WATCH_AT_MOST_MS);
  }

  private Duration draw(int least, int most) {
    return Duration.ofMillis(random.nextInt(least, most + 1));
  }
}
