package dev.drydock.health.decide;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decides whether one more node may be quarantined now. It is asked about new quarantines only:
 * recovery, release and uncordon never depend on it.
 *
 * @param admitted the nodes that were quarantined within the window, each with the last time
 * @param tripped the scopes in which nothing is quarantined until a person resets them
 */
public record Breaker(
    BreakerLimits limits,
    Map<String, Admission> admitted,
    SortedMap<BreakerScope, Instant> tripped) {

  /** A node that was quarantined, and which scopes counted it. */
  public record Admission(Instant at, List<BreakerScope> scopes) {
    public Admission {
      scopes = List.copyOf(scopes);
    }
  }

  /**
   * A node that is to be quarantined.
   *
   * @param cause the name of the failed check
   * @param labels of the node
   */
  public record Candidate(String node, String cause, Map<String, String> labels) {}

  /**
   * The nodes that count.
   *
   * @param domains how many nodes are in each failure domain
   */
  public record Fleet(int nodes, Map<BreakerScope, Integer> domains) {
    /**
     * Counts the nodes.
     *
     * @param labels of all nodes
     * @param gpuLabel of those that count; if none has it, all count
     */
    public static Fleet of(
        List<Map<String, String>> labels, String gpuLabel, String gpuValue, BreakerLimits limits) {
      List<Map<String, String>> gpu =
          labels.stream().filter(one -> gpuValue.equals(one.get(gpuLabel))).toList();
      List<Map<String, String>> counted = gpu.isEmpty() ? labels : gpu;
      Map<BreakerScope, Integer> domains = new TreeMap<>();
      for (Map<String, String> node : counted) {
        scopesOf(node, limits).forEach(scope -> domains.merge(scope, 1, Integer::sum));
      }
      return new Fleet(counted.size(), domains);
    }
  }

  /** The answer. */
  public sealed interface Answer {
    /**
     * It may be.
     *
     * @param after the breaker with it counted
     */
    record Admit(Breaker after) implements Answer {}

    /** Later: a bound is near. */
    record Slow(BreakerScope scope, Instant until) implements Answer {}

    /** It may not, because this scope is tripped. */
    record Blocked(BreakerScope scope) implements Answer {}

    /**
     * It may not: a bound is reached, and the scope trips.
     *
     * @param after the breaker, tripped
     */
    record Trip(BreakerScope scope, int recent, int threshold, Breaker after) implements Answer {}
  }

  public Breaker {
    admitted = Map.copyOf(admitted);
    tripped = new TreeMap<>(tripped);
  }

  public static Breaker closed(BreakerLimits limits) {
    return new Breaker(limits, Map.of(), new TreeMap<>());
  }

  private static List<BreakerScope> scopesOf(Map<String, String> labels, BreakerLimits limits) {
    return limits.domainLabels().stream()
        .filter(labels::containsKey)
        .map(label -> BreakerScope.domain(label, labels.getOrDefault(label, "")))
        .toList();
  }

  private static List<BreakerScope> scopesOf(Candidate candidate, BreakerLimits limits) {
    List<BreakerScope> scopes = new ArrayList<>();
    scopes.add(BreakerScope.FLEET);
    scopes.addAll(scopesOf(candidate.labels(), limits));
    scopes.add(BreakerScope.cause(candidate.cause()));
    return scopes;
  }

  public Answer admit(Candidate candidate, Fleet fleet, Instant now) {
    if (!limits.enabled()) {
      return new Answer.Admit(this);
    }
    List<BreakerScope> scopes = scopesOf(candidate, limits);
    for (BreakerScope scope : scopes) {
      if (tripped.containsKey(scope)) {
        return new Answer.Blocked(scope);
      }
    }
    Breaker recent = pruned(now);
    for (BreakerScope scope : scopes) {
      Optional<Integer> threshold = threshold(scope, fleet);
      int count = recent.count(scope, candidate.node());
      if (threshold.filter(most -> count >= most).isPresent()) {
        SortedMap<BreakerScope, Instant> trips = new TreeMap<>(tripped);
        trips.put(scope, now);
        return new Answer.Trip(
            scope, count, threshold.get(), new Breaker(limits, recent.admitted, trips));
      }
    }
    for (BreakerScope scope : scopes) {
      Optional<Instant> later = recent.slowedUntil(scope, fleet, candidate.node(), now);
      if (later.isPresent()) {
        return new Answer.Slow(scope, later.get());
      }
    }
    return new Answer.Admit(recent.with(candidate.node(), new Admission(now, scopes)));
  }

  private Optional<Instant> slowedUntil(BreakerScope scope, Fleet fleet, String node, Instant now) {
    return threshold(scope, fleet)
        .filter(most -> count(scope, node) > 0 && limits.isSlow(count(scope, node), most))
        .flatMap(
            most ->
                admitted.values().stream()
                    .filter(one -> one.scopes().contains(scope))
                    .map(Admission::at)
                    .max(Instant::compareTo)
                    .map(last -> last.plus(limits.pace(most))))
        .filter(time -> time.isAfter(now));
  }

  /** How many nodes may be quarantined in the window; absent without a bound. */
  public Optional<Integer> threshold(BreakerScope scope, Fleet fleet) {
    return switch (scope.kind()) {
      case FLEET -> Optional.of(limits.ofFleet(fleet.nodes()).nodes());
      case DOMAIN -> limits.ofDomain(fleet.domains().getOrDefault(scope, 0));
      case CAUSE -> limits.ofCause(fleet.nodes());
    };
  }

  /** Counts other nodes only: one that fails again does not count twice. */
  private int count(BreakerScope scope, String without) {
    return (int)
        admitted.entrySet().stream()
            .filter(one -> !one.getKey().equals(without))
            .filter(one -> one.getValue().scopes().contains(scope))
            .count();
  }

  /** How many nodes were quarantined in the window. */
  public int recent(BreakerScope scope, Instant now) {
    return pruned(now).count(scope, "");
  }

  private Breaker with(String node, Admission admission) {
    Map<String, Admission> more = new TreeMap<>(admitted);
    more.put(node, admission);
    return new Breaker(limits, more, tripped);
  }

  /** A quarantine that is known from the node itself, after a restart. */
  public Breaker recalled(Candidate candidate, Instant since) {
    return with(candidate.node(), new Admission(since, scopesOf(candidate, limits)));
  }

  private Breaker pruned(Instant now) {
    Map<String, Admission> left = new TreeMap<>(admitted);
    left.values().removeIf(one -> !one.at().plus(limits.duration()).isAfter(now));
    return new Breaker(limits, left, tripped);
  }

  /**
   * As another process or a person has set it. Scopes that are closed again start to count anew.
   */
  public Breaker withTripped(SortedMap<BreakerScope, Instant> now) {
    List<BreakerScope> closed =
        tripped.keySet().stream().filter(scope -> !now.containsKey(scope)).toList();
    Map<String, Admission> left = new TreeMap<>();
    admitted.forEach(
        (node, one) -> {
          List<BreakerScope> scopes =
              one.scopes().stream().filter(scope -> !closed.contains(scope)).toList();
          left.put(node, new Admission(one.at(), scopes));
        });
    return new Breaker(limits, left, now);
  }
}
