package dev.drydock.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.pollinterval.PollInterval;

/** Waits in real time. */
final class RealEventually implements Eventually {
  /** Only ends a hopeless wait: a machine that is busy may be ten times slower than usual. */
  private static final Duration DEFAULT = Duration.ofMinutes(3);

  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  /** Checks cost the machine that everything else runs on: a long wait has fewer. */
  private static final int AT_MOST_TIMES_RARER = 5;

  private final Duration every;
  private final Duration most;

  RealEventually() {
    this(LOOK_EVERY);
  }

  RealEventually(Duration every) {
    this(every, DEFAULT);
  }

  private RealEventually(Duration every, Duration most) {
    this.every = every;
    this.most = most;
  }

  @Override
  public Eventually atMost(Duration time) {
    return new RealEventually(every, time);
  }

  static void pass(Duration time) {
    Awaitility.await().pollDelay(time).atMost(time.plus(DEFAULT)).until(() -> true);
  }

  private static ConditionFactory await(PollInterval interval) {
    // a process that dies in a test throws on its own threads
    return Awaitility.await()
        .dontCatchUncaughtExceptions()
        .pollDelay(Duration.ZERO)
        .pollInterval(interval);
  }

  private Duration rarer(Duration previous) {
    Duration next = previous.multipliedBy(5).dividedBy(4);
    Duration rarest = every.multipliedBy(AT_MOST_TIMES_RARER);
    return next.compareTo(every) < 0 ? every : next.compareTo(rarest) > 0 ? rarest : next;
  }

  @Override
  public void untilAsserted(Assertion assertion) {
    await((_, previous) -> rarer(previous))
        .atMost(most)
        .ignoreExceptions()
        .untilAsserted(assertion::check);
  }

  @Override
  public void holdsFor(Duration time, Assertion assertion) {
    await((_, _) -> every)
        .during(time)
        .atMost(time.plus(most))
        .failFast(assertion::check)
        .until(() -> true);
  }
}
