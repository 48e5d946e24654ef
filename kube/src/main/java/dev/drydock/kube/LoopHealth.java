package dev.drydock.kube;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The health of all control loops of one kind. */
public final class LoopHealth {
  private static final Logger LOG = LoggerFactory.getLogger(LoopHealth.class);

  private static final int SHOWN = 3;

  private final String name;
  private final Set<ControlLoop> loops = ConcurrentHashMap.newKeySet();
  private final Map<Object, String> failing = new ConcurrentHashMap<>();
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
    shown.add("%s: and %d more failing".formatted(name, lines.size() - SHOWN));
    return shown;
  }

  /** Loops that are overdue by more than this time. */
  List<String> stuck(Instant now, Duration patience) {
    return loops.stream()
        .filter(loop -> loop.overdue().compareTo(patience) > 0)
        .map(loop -> "%s: no progress since %s".formatted(loop, now.minus(loop.overdue())))
        .sorted()
        .toList();
  }

  void resync() {
    loops.forEach(ControlLoop::resync);
  }

  void added(ControlLoop loop) {
    loops.add(loop);
  }

  void removed(ControlLoop loop) {
    loops.remove(loop);
    failing.remove(loop);
  }

  /**
   * Removes a failure, because the step succeeded or its object is gone.
   *
   * @param who a loop, or a part of its step
   */
  void recovered(Object who) {
    failing.remove(who);
  }

  void failed(Object who, ExpectedFailure failure) {
    retries.increment();
    if (show(who, failure.getMessage()) && failure.shouldLog()) {
      LOG.warn("{}: {}; retrying", who, failure.getMessage());
    }
  }

  /** The stack trace of a bug is logged once. */
  void broke(Object who, Throwable bug) {
    bugs.increment();
    var _ = show(who, "unexpected exception: " + bug);
    if (bugsSeen.add(kindOf(bug))) {
      LOG.error("{}: unexpected exception; retrying", who, bug);
    } else {
      LOG.warn("{}: unexpected exception again: {}; retrying", who, String.valueOf(bug));
    }
  }

  /** Its class and its first frame in our code: different bugs may share frames of a library. */
  static String kindOf(Throwable bug) {
    return Stream.of(bug.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("dev.drydock."))
        .findFirst()
        .map(frame -> bug.getClass().getName() + " " + frame)
        .orElse(bug.getClass().getName());
  }

  /** Not for a loop that was closed meanwhile. */
  private boolean show(Object who, String why) {
    failing.put(who, why);
    boolean there = !(who instanceof ControlLoop loop) || loops.contains(loop);
    if (!there) { // looked at afterwards: it may be closed at any time
      failing.remove(who);
    }
    return there;
  }
}
