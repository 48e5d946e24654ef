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

  /** More than the days of the horizon; only exclusions that alternate need more steps. */
  private static final int MOST_STEPS = 4_000;

  /** A tenth of a second of work. Windows that start daily need one per day of the horizon. */
  static final int MOST_LOOKS = 100_000;

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
    return search(from).opening();
  }

  /**
   * @param opening as {@link #nextOpening}
   * @param complete whether the search got that far; otherwise it gave up
   * @param looks how often a schedule was evaluated
   */
  record Search(Optional<Instant> opening, boolean complete, int looks) {}

  /** Bounded, because anybody who may write a spec decides what is in it. */
  Search search(Instant from) {
    Instant limit = from.plus(HORIZON);
    List<Cursor> open = cursors(windows, limit);
    List<Cursor> closed = cursors(exclusions, limit);
    Optional<Instant> time = Optional.of(from);
    int steps = 0;
    while (time.isPresent() && !time.get().isAfter(limit)) {
      if (steps == MOST_STEPS || looks(open) + looks(closed) > MOST_LOOKS) {
        return new Search(time, false, looks(open) + looks(closed));
      }
      Optional<Instant> next = next(open, closed, time.get());
      if (next.equals(time)) {
        return new Search(time, true, looks(open) + looks(closed));
      }
      time = next;
      steps++;
    }
    return new Search(Optional.empty(), true, looks(open) + looks(closed));
  }

  /** This time if it is open, otherwise one before which it is not; absent if none comes. */
  private static Optional<Instant> next(List<Cursor> open, List<Cursor> closed, Instant time) {
    Optional<Instant> excluded = covered(closed, time);
    if (excluded.isPresent()) {
      return excluded;
    }
    if (open.isEmpty() || covered(open, time).isPresent()) {
      return Optional.of(time);
    }
    return open.stream()
        .map(cursor -> cursor.changes)
        .min(Instant::compareTo)
        .filter(start -> start.isBefore(Instant.MAX));
  }

  private static List<Cursor> cursors(List<Window> spans, Instant limit) {
    return spans.stream().distinct().map(window -> new Cursor(window, limit)).toList();
  }

  private static Optional<Instant> covered(List<Cursor> cursors, Instant time) {
    return cursors.stream()
        .flatMap(cursor -> cursor.coveredUntil(time).stream())
        .max(Instant::compareTo);
  }

  private static int looks(List<Cursor> cursors) {
    return cursors.stream().mapToInt(cursor -> cursor.looks).sum();
  }

  /** Asks a window only when its answer may have changed, as time goes on. */
  private static final class Cursor {
    private final Window window;
    private final Instant limit;
    private Optional<Instant> covered = Optional.empty();
    private Instant changes = Instant.MIN;
    private int looks;

    Cursor(Window window, Instant limit) {
      this.window = window;
      this.limit = limit;
    }

    Optional<Instant> coveredUntil(Instant time) {
      if (!time.isBefore(changes)) {
        looks++;
        covered = window.coveredUntil(time);
        changes = covered.or(() -> window.nextStart(time, limit)).orElse(Instant.MAX);
      }
      return covered;
    }
  }

  private static Optional<Instant> until(List<Window> spans, Instant time) {
    return spans.stream()
        .flatMap(window -> window.coveredUntil(time).stream())
        .max(Instant::compareTo);
  }
}
