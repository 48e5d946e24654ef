package dev.drydock.testkit;

import dev.drydock.kube.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;

/** Advances virtual time from one timer to the next and checks the assertion after each. */
final class VirtualEventually implements Eventually {
  /** A long timeout costs nothing in virtual time. */
  private static final Duration DEFAULT = Duration.ofMinutes(30);

  private final VirtualTime time;
  private final Duration most;

  VirtualEventually(VirtualTime time) {
    this(time, DEFAULT);
  }

  private VirtualEventually(VirtualTime time, Duration most) {
    this.time = time;
    this.most = most;
  }

  @Override
  public Eventually atMost(Duration limit) {
    return new VirtualEventually(time, limit);
  }

  @Override
  public void untilAsserted(Assertion assertion) {
    Instant end = time.now().plus(most);
    while (true) {
      try {
        assertion.check();
        return;
      } catch (Exception | AssertionError notYet) {
        Instant next = time.timers().next();
        if (next == null || next.isAfter(end)) {
          throw new AssertionError(
              "still does not hold at %s, and %s"
                  .formatted(
                      time.now(), next == null ? "no timer is pending" : "the timeout has passed"),
              notYet);
        }
        time.advanceTo(next.isAfter(time.now()) ? next : time.now());
      }
    }
  }

  @Override
  public void holdsFor(Duration duration, Assertion assertion) {
    Instant end = time.now().plus(duration);
    check(assertion);
    Instant next = time.timers().next();
    while (next != null && !next.isAfter(end)) {
      time.advanceTo(next.isAfter(time.now()) ? next : time.now());
      check(assertion);
      next = time.timers().next();
    }
    time.advanceTo(end);
    check(assertion);
  }

  private static void check(Assertion assertion) {
    try {
      assertion.check();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }
}
