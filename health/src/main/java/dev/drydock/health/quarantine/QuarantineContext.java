package dev.drydock.health.quarantine;

import dev.drydock.health.consume.LatestByNode;
import dev.drydock.health.consume.PendingEvents;
import dev.drydock.health.decide.AppliedMarks;
import dev.drydock.health.decide.Breaker.Fleet;
import dev.drydock.health.decide.MarkedNode;
import dev.drydock.health.decide.MarkedNode.ManualEnd;
import dev.drydock.health.decide.NodeEdit;
import dev.drydock.health.decide.NodeEdits;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the loops of all nodes share.
 *
 * @param stopped why the andon cord keeps new quarantines from beginning, if it does
 * @param fleets the nodes that the breakers count
 */
record QuarantineContext(
    Kube kube,
    QuarantineRules rules,
    NodeEdits edits,
    QuarantineOptions options,
    QuarantineWriter writer,
    QuarantineMetrics metrics,
    BreakerSwitch breaker,
    PendingEvents pending,
    Watch<QuarantineNodeObject> nodes,
    LatestByNode<QuarantineNodeObject> latest,
    Supplier<Fleet> fleets,
    Supplier<Optional<String>> stopped) {

  /** Whether nodes and breakers have been read. */
  boolean isKnown() {
    return nodes.isListed() && breaker.isKnown();
  }

  Optional<QuarantineNodeObject> node(String name) {
    return nodes.state(name).items().stream().findFirst();
  }

  Fleet fleet() {
    return fleets.get();
  }

  /** Counts what a write has changed. */
  void counted(MarkedNode before, NodeEdit edit) {
    edit.taintsAdded().forEach(metrics::tainted);
    edit.taintsRemoved().forEach(_ -> metrics.untainted());
    boolean was = before.marks().cordon() == AppliedMarks.Cordon.OURS;
    boolean is = edit.marks().cordon() == AppliedMarks.Cordon.OURS;
    if (is && !was) {
      metrics.cordoned();
    } else if (was && !is) {
      metrics.uncordoned();
    }
    edit.marks().labels().stream()
        .filter(label -> before.marks().labels().stream().noneMatch(label::equals))
        .forEach(label -> metrics.labelled(label.key(), true));
    before.marks().labels().stream()
        .filter(label -> edit.marks().labels().stream().noneMatch(label::equals))
        .forEach(label -> metrics.labelled(label.key(), false));
    Optional<Quarantine> ended = before.state().quarantine();
    if (ended.isPresent() && edit.state().quarantine().isEmpty()) {
      metrics.unquarantined(
          before.name(),
          ended.get().faults().getFirst().event(),
          Duration.between(ended.get().since(), kube.clock().instant()));
    }
  }

  void counted(String node, ManualEnd end) {
    switch (end) {
      case UNCORDONED -> metrics.uncordonedManually(node);
      case UNTAINTED -> metrics.untaintedManually(node);
      case NONE -> {}
    }
  }
}
