package dev.drydock.simulate;

import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What drains wait for, over all nodes: start, end and the affected nodes. */
final class WaitLog {
  /** Shorter waits are normal and not reported. */
  private static final Duration WORTH_TELLING = Duration.ofSeconds(10);

  /** A wait that ends and starts again within this time is one wait. */
  private static final Duration SAME = Duration.ofSeconds(10);

  /** One obstacle, for any pods and nodes. */
  private record Cause(BlockReason reason, List<String> names) {
    static Cause of(Blocker blocker, String node) {
      // obstacles of the node itself have the same text on many nodes
      return new Cause(
          blocker.reason(), blocker.names().equals(List.of(node)) ? List.of() : blocker.names());
    }
  }

  /** One obstacle of one node. */
  private static final class Wait {
    private final String node;
    private final Instant from;
    private final String what;
    private final Set<String> pods = new LinkedHashSet<>();
    private Optional<Instant> over = Optional.empty();
    private boolean lastOfDrain;

    Wait(String node, Instant from, String what) {
      this.node = node;
      this.from = from;
      this.what = what;
    }
  }

  /** How long a node waited for its longest obstacle. */
  record Longest(BlockReason reason, Duration time) {}

  private final Timeline timeline;
  private final List<Wait> all = new ArrayList<>();
  private final Map<String, Map<Cause, Wait>> latest = new HashMap<>();
  private final Map<String, Set<Cause>> byNode = new HashMap<>();
  private final Map<Cause, String> words = new HashMap<>();
  private final Map<Cause, Integer> held = new HashMap<>();
  private final Map<String, Map<BlockReason, Duration>> spent = new HashMap<>();
  private final Map<String, Map<BlockReason, Instant>> since = new HashMap<>();

  WaitLog(Timeline timeline) {
    this.timeline = timeline;
  }

  void decided(String node, Decision decision, Instant now) {
    Set<Cause> open = byNode.computeIfAbsent(node, _ -> new LinkedHashSet<>());
    Map<Cause, List<Blocker>> current = new LinkedHashMap<>();
    decision.blockers().stream()
        .filter(blocker -> blocker.reason() != BlockReason.BUDGET_TURN)
        .forEach(
            blocker ->
                current
                    .computeIfAbsent(Cause.of(blocker, node), _ -> new ArrayList<>())
                    .add(blocker));
    for (Cause cause : List.copyOf(open)) {
      if (!current.containsKey(cause)) {
        close(node, cause, open, now);
      }
    }
    current.forEach(
        (cause, blockers) -> {
          if (open.add(cause)) {
            open(node, cause, blockers.getLast(), now);
          }
          addPods(node, cause, blockers);
        });
    count(node, now);
  }

  /** An obstacle with a name, such as a budget, is reported by it; otherwise the pods are named. */
  private void addPods(String node, Cause cause, List<Blocker> blockers) {
    Wait wait = latest.getOrDefault(node, Map.of()).get(cause);
    if (wait != null && cause.names().isEmpty()) {
      blockers.forEach(blocker -> blocker.pods().forEach(pod -> wait.pods.add(pod.toString())));
    }
  }

  /** Several obstacles of a kind at a time are one wait for a node. */
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

  /** When its drain ends, that is reported instead of the last wait. */
  void ended(String node, Instant now) {
    Set<Cause> open = byNode.getOrDefault(node, Set.of());
    List.copyOf(open).forEach(cause -> close(node, cause, open, now));
    latest.getOrDefault(node, Map.of()).values().stream()
        .filter(wait -> wait.over.equals(Optional.of(now)))
        .forEach(wait -> wait.lastOfDrain = true);
    latest.remove(node);
    count(node, now);
  }

  private void open(String node, Cause cause, Blocker blocker, Instant now) {
    Map<Cause, Wait> ofNode = latest.computeIfAbsent(node, _ -> new LinkedHashMap<>());
    Wait wait = ofNode.get(cause);
    if (wait == null || wait.over.filter(end -> end.plus(SAME).isBefore(now)).isPresent()) {
      // its numbers change constantly; as long as it blocks any node, its text stays the same
      String what =
          words.computeIfAbsent(cause, _ -> blocker.what().replace("node " + node, "the node"));
      wait = new Wait(node, now, what);
      ofNode.put(cause, wait);
      all.add(wait);
    }
    wait.over = Optional.empty();
    held.merge(cause, 1, Integer::sum);
  }

  private void close(String node, Cause cause, Set<Cause> open, Instant now) {
    open.remove(cause);
    Wait wait = latest.getOrDefault(node, Map.of()).get(cause);
    if (wait != null) {
      wait.over = Optional.of(now);
    }
    if (held.merge(cause, -1, Integer::sum) == 0) {
      words.remove(cause);
    }
  }

  /** Called when nothing more happens: reports every wait that was long enough. */
  void report() {
    List<Wait> told = all.stream().filter(WaitLog::isWorthTelling).toList();
    told.forEach(
        wait ->
            timeline.add(
                wait.from, Timeline.Event.WAITS, "waits: " + wait.what, wait.node, wait.pods));
    told.stream()
        .filter(wait -> wait.over.isPresent() && !wait.lastOfDrain)
        .forEach(
            wait ->
                timeline.add(
                    wait.over.orElseThrow(),
                    Timeline.Event.GOES_ON,
                    "continues, no longer waits: " + wait.what,
                    wait.node,
                    wait.pods));
  }

  private static boolean isWorthTelling(Wait wait) {
    return wait.over
        .filter(end -> Duration.between(wait.from, end).compareTo(WORTH_TELLING) < 0)
        .isEmpty();
  }

  /** Waits that have not ended count until this time. */
  void finish(Instant end) {
    byNode.values().forEach(Set::clear);
    since.keySet().forEach(node -> count(node, end));
  }

  Optional<Longest> longest(String node) {
    return spent.getOrDefault(node, Map.of()).entrySet().stream()
        .filter(entry -> !entry.getValue().isNegative() && !entry.getValue().isZero())
        .max(Map.Entry.comparingByValue())
        .map(entry -> new Longest(entry.getKey(), entry.getValue()));
  }
}
