package dev.drydock.health.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The numbers of a queue of the connectors, under the original's names. Thread-safe. */
public final class WorkQueueMetrics {
  private static final String PREFIX = "platform_connector_workqueue_";

  private static final double[] SECONDS = {
    0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600, 3600
  };

  /**
   * The queue that counts at present.
   *
   * @param depth how much waits
   * @param added how much has ever come
   */
  private record Queue(Clock clock, LongSupplier depth, LongSupplier added) {}

  private final AtomicLong retries = new AtomicLong();
  private final Map<Object, Instant> running = new ConcurrentHashMap<>();
  private final DistributionSummary latency;
  private final DistributionSummary duration;
  private volatile Queue present = new Queue(Clock.systemUTC(), () -> 0, () -> 0);

  /**
   * @param queue {@code databaseStore} or {@code kubernetes}
   */
  public WorkQueueMetrics(MeterRegistry registry, String queue) {
    gauge(registry, "depth_" + queue, () -> present.depth().getAsLong());
    // counters, but with the name of the queue behind the suffix that counters get
    gauge(registry, "adds_total_" + queue, () -> present.added().getAsLong());
    gauge(registry, "retries_total_" + queue, retries::get);
    Gauge.builder(PREFIX + "longest_running_processor_seconds_" + queue, this::longest)
        .register(registry);
    Gauge.builder(PREFIX + "unfinished_work_seconds_" + queue, this::unfinished).register(registry);
    latency = summary(registry, "latency_seconds_" + queue);
    duration = summary(registry, "work_duration_seconds_" + queue);
  }

  /** Counts this queue from now on; each term of a leader has its own. */
  public void count(Clock clock, LongSupplier depth, LongSupplier added) {
    present = new Queue(clock, depth, added);
  }

  private static void gauge(MeterRegistry registry, String name, LongSupplier value) {
    Gauge.builder(PREFIX + name, value::getAsLong).register(registry);
  }

  private static DistributionSummary summary(MeterRegistry registry, String name) {
    return DistributionSummary.builder(PREFIX + name)
        .serviceLevelObjectives(SECONDS)
        .register(registry);
  }

  private double longest() {
    Instant now = present.clock().instant();
    return running.values().stream().mapToDouble(begun -> seconds(begun, now)).max().orElse(0);
  }

  private double unfinished() {
    Instant now = present.clock().instant();
    return running.values().stream().mapToDouble(begun -> seconds(begun, now)).sum();
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1e3;
  }

  /** Work on something that has waited. */
  @FunctionalInterface
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  /**
   * Runs the work; it is repeated later if it fails.
   *
   * @param waitingSince when the oldest came that it is about
   */
  public <E extends Exception> void work(Instant waitingSince, Work<E> work) throws E {
    Instant begun = present.clock().instant();
    Object key = new Object();
    running.put(key, begun);
    latency.record(Math.max(0, seconds(waitingSince, begun)));
    boolean done = false;
    try {
      work.run();
      done = true;
    } finally {
      running.remove(key);
      duration.record(seconds(begun, present.clock().instant()));
      if (!done) {
        retries.incrementAndGet();
      }
    }
  }
}
