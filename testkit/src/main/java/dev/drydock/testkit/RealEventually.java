package dev.drydock.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits in real time. */
final class RealEventually implements Eventually {
  private static final Duration USUAL = Duration.ofSeconds(60);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final Duration most;

  RealEventually() {
    this(USUAL);
  }

  private RealEventually(Duration most) {
    this.most = most;
  }

  @Override
  public Eventually atMost(Duration time) {
    return new RealEventually(time);
  }

  static void pass(Duration time) {
    Awaitility.await().pollDelay(time).atMost(time.plus(USUAL)).until(() -> true);
  }

  private static ConditionFactory await() {
    // a process that dies in a test throws on its own threads
    return Awaitility.await()
        .dontCatchUncaughtExceptions()
        .pollDelay(Duration.ZERO)
        .pollInterval(LOOK_EVERY);
  }

  @Override
  public void untilAsserted(Assertion assertion) {
    await().atMost(most).ignoreExceptions().untilAsserted(assertion::check);
  }

  @Override
  public void holdsFor(Duration time, Assertion assertion) {
    await().during(time).atMost(time.plus(most)).failFast(assertion::check).until(() -> true);
  }
}
