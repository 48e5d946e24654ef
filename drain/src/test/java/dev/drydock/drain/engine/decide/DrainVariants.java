package dev.drydock.drain.engine.decide;

import dev.drydock.drain.hold.decide.NodeFacts;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Values of the decider that differ from others in one point. */
final class DrainVariants {
  private DrainVariants() {}

  /** Also these pods had to leave. */
  static Attempts seeing(Attempts attempts, Collection<String> podUids) {
    Set<String> all = new HashSet<>(attempts.seen());
    all.addAll(podUids);
    return new Attempts(
        attempts.byTarget(), all, attempts.busyElsewhere(), attempts.evictedSinceStart());
  }

  static NodeFacts taintedOutOfService(NodeFacts node) {
    return new NodeFacts(
        node.name(),
        node.exists(),
        node.unschedulable(),
        node.unreachableSince(),
        true,
        node.works(),
        node.uid());
  }

  static PolicyRule inTier(int tier, PolicyRule.Match match, EvictionMode mode) {
    return new PolicyRule(match, mode, tier, Optional.empty());
  }

  static PolicyRule withGrace(Duration grace, PolicyRule.Match match, EvictionMode mode) {
    return new PolicyRule(match, mode, 0, Optional.of(grace));
  }
}
