package dev.drydock.kube;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The health of all control loops of one kind. */
public final class LoopHealth {
  private static final int SHOWN = 3;

  private final String name;
  private final Set<ControlLoop> loops = ConcurrentHashMap.newKeySet();
  private final Map<ControlLoop, String> failing = new ConcurrentHashMap<>();
  private final Set<String> bugsSeen = ConcurrentHashMap.newKeySet();
  private final LongAdder bugs = new LongAdder();
  private final LongAdder retries = new LongAdder();

  LoopHealth(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  /** How many steps failed because of a bug. */
  public long failures() {
    return bugs.sum();
  }

  /** How many steps were retried because a request failed. */
  public long retries() {
    return retries.sum();
  }

  /** Current failures, one line each. */
  public List<String> failing() {
    List<String> lines =
        failing.entrySet().stream()
            .map(entry -> entry.getKey() + ": " + entry.getValue())
            .sorted()
            .toList();
    if (lines.size() <= SHOWN) {
      return lines;
    }
    List<String> shown = new ArrayList<>(lines.subList(0, SHOWN));
    shown.add("%s: %d more fail".formatted(name, lines.size() - SHOWN));
    return shown;
  }

  /** Loops that are overdue by more than this time. */
  List<String> stuck(Instant now, Duration patience) {
    Instant limit = now.minus(patience);
    return loops.stream()
        .filter(loop -> loop.stuckSince().isBefore(limit))
        .map(loop -> "%s: no progress since %s".formatted(loop, loop.stuckSince()))
        .sorted()
        .toList();
  }

  void added(ControlLoop loop) {
    loops.add(loop);
  }

  void removed(ControlLoop loop) {
    loops.remove(loop);
    failing.remove(loop);
  }

  void recovered(ControlLoop loop) {
    failing.remove(loop);
  }

  void failed(ControlLoop loop, String why) {
    retries.increment();
    show(loop, why);
  }

  /** Whether this is the first bug of its kind; only then the stack trace is logged. */
  boolean broke(ControlLoop loop, Throwable bug) {
    bugs.increment();
    show(loop, "a bug: " + bug);
    StackTraceElement[] stack = bug.getStackTrace();
    return bugsSeen.add(bug.getClass().getName() + (stack.length == 0 ? "" : " " + stack[0]));
  }

  private void show(ControlLoop loop, String why) {
    if (loops.contains(loop)) {
      failing.put(loop, why);
    }
  }
}
