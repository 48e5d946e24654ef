package dev.drydock.app.status;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.DrainPlan;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.kube.ApiFailure;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds what blocks drains that run from a terminal, which is not recorded anywhere: asks the
 * engine for a plan, for a few nodes only.
 */
final class Blockers {
  private static final int MOST = 5;

  /** The drain's policy is unknown, so only obstacles of any drain are shown. */
  private static final DrainPolicy LENIENT = DrainPolicy.everything().build();

  private final DrainEngine engine;

  Blockers(DrainEngine engine) {
    this.engine = engine;
  }

  FleetStatus explain(FleetStatus status) {
    Set<String> unexplained =
        status.nodes().stream()
            .filter(node -> node.state().equals(NodeStatus.DRAINING) && node.waitsFor().isEmpty())
            .map(NodeStatus::node)
            .limit(MOST)
            .collect(Collectors.toSet());
    return unexplained.isEmpty()
        ? status
        : status.mapNodes(node -> unexplained.contains(node.node()) ? explain(node) : node);
  }

  private NodeStatus explain(NodeStatus node) {
    try {
      DrainPlan plan = engine.plans().plan(node.node(), LENIENT);
      List<String> lines =
          Stream.concat(plan.impossible().stream(), plan.blockers().stream())
              .map(Blocker::line)
              .toList();
      return node.with(plan.eta().toString(), lines);
    } catch (ApiFailure notTold) {
      return node; // users without permission to read pods get no blockers
    }
  }
}
