package dev.drydock.sim.kubelet;

import dev.drydock.kube.time.TimeSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Virtual time: work runs when a test advances time, on the test's own thread. */
final class TestingTime implements TimeSource {
  private record Scheduled(Instant due, Runnable work) {}

  private final List<Scheduled> queue = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");

  @Override
  public Clock clock() {
    InstantSource source = () -> now;
    return source.withZone(ZoneOffset.UTC);
  }

  @Override
  public Duration elapsed() {
    return Duration.between(Instant.EPOCH, now);
  }

  @Override
  public Timer schedule(Duration delay, Runnable work) {
    Scheduled scheduled = new Scheduled(now.plus(delay), work);
    queue.add(scheduled);
    return () -> queue.remove(scheduled);
  }

  int waiting() {
    return queue.size();
  }

  void pass(Duration duration) {
    Instant end = now.plus(duration);
    for (Optional<Scheduled> next = next(end); next.isPresent(); next = next(end)) {
      queue.remove(next.get());
      now = next.get().due().isAfter(now) ? next.get().due() : now;
      next.get().work().run();
    }
    now = end;
  }

  private Optional<Scheduled> next(Instant end) {
    return queue.stream()
        .filter(scheduled -> !scheduled.due().isAfter(end))
        .min(Comparator.comparing(Scheduled::due));
  }
}
