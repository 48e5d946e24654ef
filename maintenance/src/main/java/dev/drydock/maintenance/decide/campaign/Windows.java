package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When nodes may leave: inside a window and outside every exclusion. Without windows it is always
 * open. Windows restrict when a node may leave, not when it must be back.
 */
public record Windows(List<Window> windows, List<Window> exclusions) {
  /**
   * A window that does not open within this time never will: 29 February comes within four years.
   */
  public static final Duration HORIZON = Duration.ofDays(5 * 366);

  /** A later closing time is irrelevant for plans. */
  private static final Duration NEAR = Duration.ofDays(31);

  /** More than the days of the horizon; only exclusions that alternate need more steps. */
  private static final int MOST_STEPS = 4_000;

  public static final Windows ALWAYS = new Windows(List.of(), List.of());

  public Windows {
    windows = List.copyOf(windows);
    exclusions = List.copyOf(exclusions);
  }

  public boolean isOpen(Instant time) {
    return (windows.isEmpty() || until(windows, time).isPresent())
        && until(exclusions, time).isEmpty();
  }

  /**
   * This time if it is open, otherwise the next opening; absent if it never opens. Where exclusions
   * alternate for so long that it takes too many steps, it is the time up to which none was found.
   */
  public Optional<Instant> nextOpening(Instant from) {
    Instant limit = from.plus(HORIZON);
    Instant time = from;
    for (int step = 0; !time.isAfter(limit); step++) {
      if (step == MOST_STEPS) {
        return Optional.of(time);
      }
      Optional<Instant> excluded = until(exclusions, time);
      if (excluded.isPresent()) {
        time = excluded.get();
      } else if (windows.isEmpty() || until(windows, time).isPresent()) {
        return Optional.of(time);
      } else {
        Optional<Instant> start = nextStart(windows, time, limit);
        if (start.isEmpty()) {
          return Optional.empty();
        }
        time = start.get();
      }
    }
    return Optional.empty();
  }

  /**
   * When the current window closes; absent if none is open or it stays open for a month or more.
   */
  public Optional<Instant> closesAt(Instant now) {
    if (!isOpen(now)) {
      return Optional.empty();
    }
    Instant limit = now.plus(NEAR);
    Instant stop = nextStart(exclusions, now, limit).orElse(Instant.MAX);
    Instant end = windows.isEmpty() ? stop : now;
    while (end.isBefore(stop) && !end.isAfter(limit)) {
      Optional<Instant> later = until(windows, end);
      if (later.isEmpty()) {
        return Optional.of(end);
      }
      end = later.get();
    }
    Instant closes = end.isBefore(stop) ? end : stop;
    return Optional.of(closes).filter(time -> !time.isAfter(limit));
  }

  private static Optional<Instant> until(List<Window> spans, Instant time) {
    return spans.stream()
        .flatMap(window -> window.coveredUntil(time).stream())
        .max(Instant::compareTo);
  }

  private static Optional<Instant> nextStart(List<Window> spans, Instant after, Instant limit) {
    return spans.stream()
        .flatMap(window -> window.nextStart(after, limit).stream())
        .min(Instant::compareTo);
  }
}
