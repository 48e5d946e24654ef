package dev.drydock.app.simulate;

import dev.drydock.drain.decide.BlockReason;
import dev.drydock.drain.decide.Blocker;
import dev.drydock.drain.decide.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What drains wait for, over all nodes: when it began, when it ended, whom it held up. */
final class Waits {
  /** Shorter waits are the pace of things, not worth a line. */
  private static final Duration WORTH_TELLING = Duration.ofSeconds(10);

  /** What ends and begins again within this time goes on. */
  private static final Duration SAME = Duration.ofSeconds(10);

  /** One obstacle, whichever pods and nodes it holds up. */
  private record Cause(BlockReason reason, List<String> names) {
    static Cause of(Blocker blocker, String node) {
      // what is said of the node itself is the same on many nodes
      return new Cause(
          blocker.reason(), blocker.names().equals(List.of(node)) ? List.of() : blocker.names());
    }
  }

  private static final class Wait {
    private final Instant from;
    private final String what;
    private final Set<String> nodes = new LinkedHashSet<>();
    private final Set<String> waiting = new HashSet<>();
    private Optional<Instant> over = Optional.empty();
    private boolean inVain;

    Wait(Instant from, String what) {
      this.from = from;
      this.what = what;
    }
  }

  /** How long a node waited for its longest obstacle. */
  record Longest(BlockReason reason, Duration time) {}

  private final Timeline timeline;
  private final Map<Cause, Wait> waits = new LinkedHashMap<>();
  private final Map<String, Set<Cause>> byNode = new HashMap<>();
  private final Map<String, Map<BlockReason, Duration>> spent = new HashMap<>();
  private final Map<String, Map<BlockReason, Instant>> since = new HashMap<>();

  Waits(Timeline timeline) {
    this.timeline = timeline;
  }

  void decided(String node, Decision decision, Instant now) {
    Set<Cause> open = byNode.computeIfAbsent(node, _ -> new LinkedHashSet<>());
    Map<Cause, Blocker> current = new LinkedHashMap<>();
    decision.blockers().stream()
        .filter(blocker -> blocker.reason() != BlockReason.BUDGET_TURN)
        .forEach(blocker -> current.put(Cause.of(blocker, node), blocker));
    for (Cause cause : List.copyOf(open)) {
      if (!current.containsKey(cause)) {
        close(node, cause, open, now);
      }
    }
    current.forEach(
        (cause, blocker) -> {
          if (open.add(cause)) {
            open(node, cause, blocker, now);
          }
        });
    count(node, now);
  }

  /** Two obstacles of a kind at a time are one wait for a node. */
  private void count(String node, Instant now) {
    Set<BlockReason> reasons =
        byNode.getOrDefault(node, Set.of()).stream().map(Cause::reason).collect(Collectors.toSet());
    Map<BlockReason, Instant> counting = since.computeIfAbsent(node, _ -> new LinkedHashMap<>());
    for (BlockReason reason : List.copyOf(counting.keySet())) {
      if (!reasons.contains(reason)) {
        Instant from = counting.remove(reason);
        spent
            .computeIfAbsent(node, _ -> new LinkedHashMap<>())
            .merge(reason, Duration.between(from == null ? now : from, now), Duration::plus);
      }
    }
    reasons.stream().sorted().forEach(reason -> counting.putIfAbsent(reason, now));
  }

  /** Its drain is over: because nothing stood in its way any more, or in spite of what did. */
  void ended(String node, boolean done, Instant now) {
    Set<Cause> open = byNode.getOrDefault(node, Set.of());
    if (!done) {
      open.stream().map(waits::get).filter(Objects::nonNull).forEach(wait -> wait.inVain = true);
    }
    List.copyOf(open).forEach(cause -> close(node, cause, open, now));
    count(node, now);
  }

  private void open(String node, Cause cause, Blocker blocker, Instant now) {
    Wait wait = waits.get(cause);
    if (wait != null && wait.over.filter(end -> end.plus(SAME).isBefore(now)).isPresent()) {
      tell(wait);
      wait = null;
    }
    if (wait == null) {
      wait = new Wait(now, blocker.what().replace("node " + node, "the node"));
      waits.put(cause, wait);
    }
    wait.over = Optional.empty();
    wait.nodes.add(node);
    wait.waiting.add(node);
  }

  private void close(String node, Cause cause, Set<Cause> open, Instant now) {
    open.remove(cause);
    Wait wait = waits.get(cause);
    if (wait != null && wait.waiting.remove(node) && wait.waiting.isEmpty()) {
      wait.over = Optional.of(now);
    }
  }

  private void tell(Wait wait) {
    Instant end = wait.over.orElse(Instant.MAX);
    if (wait.over.isPresent() && Duration.between(wait.from, end).compareTo(WORTH_TELLING) < 0) {
      return;
    }
    wait.nodes.forEach(
        node -> timeline.add(wait.from, Timeline.Event.WAITS, "waits: " + wait.what, node));
    if (wait.over.isPresent() && !wait.inVain) {
      String took = Words.time(Duration.between(wait.from, end));
      String last = "goes on after " + took + ": " + wait.what;
      wait.nodes.forEach(node -> timeline.add(end, Timeline.Event.GOES_ON, last, node));
    }
  }

  /** Nothing more happens: tells of what is not told yet. */
  void finish(Instant end) {
    byNode.values().forEach(Set::clear);
    since.keySet().forEach(node -> count(node, end));
    waits.values().forEach(this::tell);
    waits.clear();
  }

  Optional<Longest> longest(String node) {
    return spent.getOrDefault(node, Map.of()).entrySet().stream()
        .filter(entry -> !entry.getValue().isNegative() && !entry.getValue().isZero())
        .max(Map.Entry.comparingByValue())
        .map(entry -> new Longest(entry.getKey(), entry.getValue()));
  }
}
