package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.decide.Breaker.Answer;
import dev.drydock.health.decide.Breaker.Candidate;
import dev.drydock.health.decide.Breaker.Fleet;
import dev.drydock.health.decide.QuarantineDecision.Change;
import dev.drydock.health.decide.QuarantineDecision.Kind;
import dev.drydock.health.decide.QuarantineFold.Entry;
import dev.drydock.health.decide.QuarantineFold.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What rules and breakers would have done to past events, by the deciders that also work on real
 * nodes. For use by one thread.
 */
public final class QuarantineReplay {
  private final NodeEdits edits;
  private final Fleet fleet;
  private final Function<HealthEvent, List<String>> matching;
  private final Function<String, Map<String, String>> labels;
  private final SortedMap<String, MarkedNode> nodes = new TreeMap<>();
  private final SortedMap<String, Instant> cordonedSince = new TreeMap<>();
  private final TreeSet<String> cordoned = new TreeSet<>();
  private final List<Trip> trips = new ArrayList<>();
  private final SortedMap<String, Integer> byRule = new TreeMap<>();
  private Breaker breaker;
  private Duration outOfService = Duration.ZERO;
  private Instant last = Instant.EPOCH;
  private int events;
  private int quarantines;
  private int recoveries;
  private int blocked;
  private int slowed;

  /** A breaker that trips. */
  public record Trip(Instant at, String scope, int recent, int threshold) {}

  /**
   * The outcome.
   *
   * @param nodes those that were cordoned at some time
   * @param stillCordoned at the end
   * @param nodeMinutes how long nodes were out of service, all together
   * @param blocked events that a breaker kept from quarantining a node
   * @param slowed quarantines that a breaker delayed
   * @param byRule how many quarantines each rule set took part in beginning
   */
  public record Report(
      int events,
      int quarantines,
      int recoveries,
      List<String> nodes,
      List<String> stillCordoned,
      double nodeMinutes,
      int blocked,
      int slowed,
      List<Trip> trips,
      Map<String, Integer> byRule) {}

  /**
   * @param matching the names of the rule sets that match an event
   * @param labels of a node
   */
  public QuarantineReplay(
      NodeEdits edits,
      BreakerLimits limits,
      Fleet fleet,
      Function<HealthEvent, List<String>> matching,
      Function<String, Map<String, String>> labels) {
    this.edits = edits;
    this.fleet = fleet;
    this.matching = matching;
    this.labels = labels;
    breaker = Breaker.closed(limits);
  }

  /** The next event, which was stored at this time. */
  public void see(HealthEvent event, Instant at) {
    events++;
    last = at.isAfter(last) ? at : last;
    if (!event.processingStrategy().acts()) {
      return;
    }
    MarkedNode node = nodes.computeIfAbsent(event.nodeName(), this::healthy);
    List<String> matched = event.isHealthy() ? List.of() : matching.apply(event);
    Incoming incoming = new Incoming(event, at, matched, false);
    QuarantineFold.Result result =
        QuarantineFold.of(node.state(), List.of(incoming), one -> ask(node, one, at), at);
    for (Outcome outcome : result.outcomes()) {
      count(outcome, matched);
    }
    if (result.changesNode()) {
      change(node, result.after(), at);
    }
  }

  private MarkedNode healthy(String name) {
    return new MarkedNode(
        name,
        false,
        false,
        List.of(),
        labels.apply(name),
        QuarantineState.NONE,
        AppliedMarks.NONE,
        Strikes.NONE);
  }

  private Entry ask(MarkedNode node, Incoming incoming, Instant at) {
    Candidate candidate = new Candidate(node.name(), incoming.event().checkName(), node.labels());
    Instant now = at;
    while (true) {
      switch (breaker.admit(candidate, fleet, now)) {
        case Answer.Admit admitted -> {
          breaker = admitted.after();
          return new Entry.Open();
        }
        case Answer.Slow slow -> {
          slowed += now.equals(at) ? 1 : 0;
          now = slow.until(); // it would have waited until then
        }
        case Answer.Blocked tripped -> {
          return new Entry.Blocked(tripped.scope().toString());
        }
        case Answer.Trip trip -> {
          breaker = trip.after();
          trips.add(new Trip(now, trip.scope().toString(), trip.recent(), trip.threshold()));
          return new Entry.Blocked(trip.scope().toString());
        }
      }
    }
  }

  private void count(Outcome outcome, List<String> matched) {
    switch (outcome) {
      case Outcome.Decided(QuarantineDecision decision) -> {
        if (decision instanceof Change change && change.kind() == Kind.BEGIN) {
          quarantines++;
          matched.forEach(rule -> byRule.merge(rule, 1, Integer::sum));
        } else if (decision instanceof Change change && change.kind() == Kind.END) {
          recoveries++;
        }
      }
      case Outcome.Blocked _ -> blocked++;
      case Outcome.Superseded() -> {}
    }
  }

  private void change(MarkedNode node, QuarantineState after, Instant at) {
    NodeEdit edit = edits.plan(node, after, at);
    boolean out = edit.marks().isCordoned() || edit.hold() instanceof NodeEdit.HoldStep.Strike;
    nodes.put(
        node.name(),
        new MarkedNode(
            node.name(),
            out,
            out,
            node.taints(),
            node.labels(),
            edit.state(),
            edit.marks(),
            edit.strikes()));
    if (out && !cordonedSince.containsKey(node.name())) {
      cordoned.add(node.name());
      cordonedSince.put(node.name(), at);
    } else if (!out && cordonedSince.containsKey(node.name())) {
      outOfService = outOfService.plus(Duration.between(cordonedSince.remove(node.name()), at));
    }
  }

  /** The outcome so far; nodes that are out of service count until the last event. */
  public Report report() {
    Duration all = outOfService;
    for (Instant since : cordonedSince.values()) {
      all = all.plus(Duration.between(since, last));
    }
    return new Report(
        events,
        quarantines,
        recoveries,
        List.copyOf(cordoned),
        List.copyOf(cordonedSince.keySet()),
        all.toSeconds() / 60.0,
        blocked,
        slowed,
        List.copyOf(trips),
        new TreeMap<>(byRule));
  }
}
