package dev.drydock.edge.decide;

import java.time.Duration;
import java.util.Map;

/**
 * How a drain at the edge is done, by the original names of the settings. A drain keeps the
 * settings that it began with.
 *
 * @param drainTimeout {@code kubernetes.drain.timeout}: of one attempt
 * @param skipTimeout {@code drain.skip.k8sapinotreachable.timeout}: the drain is skipped if the API
 *     server is unreachable for this long
 * @param detectionWindow {@code kubernetes.drain.allnodes.config.multiple} times {@code
 *     timer.config.interval}: how long a schedulable peer is looked for
 */
public record EdgeSettings(Duration drainTimeout, Duration skipTimeout, Duration detectionWindow) {
  public static final int CORDON_TRIES = 10;
  public static final int DRAIN_ATTEMPTS = 5;
  public static final Duration BETWEEN_TRIES = Duration.ofSeconds(5);
  public static final Duration BETWEEN_ATTEMPTS = Duration.ofMinutes(5);
  public static final Duration FAULT_INJECTION_WAIT = Duration.ofSeconds(30);

  public static final String DRAIN_TIMEOUT = "kubernetes.drain.timeout";
  public static final String SKIP_TIMEOUT = "drain.skip.k8sapinotreachable.timeout";
  public static final String DETECTION_MULTIPLE = "kubernetes.drain.allnodes.config.multiple";
  public static final String CONFIG_INTERVAL = "timer.config.interval";

  private static final long MOST = 4_294_967_295L;

  /** About a hundred years: longer times would overflow when they are added to an instant. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  public static final EdgeSettings DEFAULT = of(Map.of());

  /**
   * From numbers by name. As in the original, 0 and numbers out of range are ignored and the
   * default applies.
   */
  public static EdgeSettings of(Map<String, Long> numbers) {
    return new EdgeSettings(
        shorter(number(numbers, DRAIN_TIMEOUT, 24, 1, MOST), Duration.ofHours(1)),
        shorter(number(numbers, SKIP_TIMEOUT, 300, 1, MOST), Duration.ofSeconds(1)),
        shorter(
            number(numbers, DETECTION_MULTIPLE, 2, 1, 1000),
            Duration.ofSeconds(number(numbers, CONFIG_INTERVAL, 60, 5, 86_400))));
  }

  private static Duration shorter(long times, Duration unit) {
    return times > LONGEST.dividedBy(unit) ? LONGEST : unit.multipliedBy(times);
  }

  private static long number(
      Map<String, Long> numbers, String name, long other, long least, long most) {
    long number = numbers.getOrDefault(name, other);
    return number < least || number > most ? other : number;
  }
}
