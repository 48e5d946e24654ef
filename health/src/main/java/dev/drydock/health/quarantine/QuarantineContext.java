package dev.drydock.health.quarantine;

import dev.drydock.health.consume.LatestObjects;
import dev.drydock.health.consume.NodeFeed;
import dev.drydock.health.consume.PendingEvents;
import dev.drydock.health.decide.AppliedMarks;
import dev.drydock.health.decide.Breaker.Fleet;
import dev.drydock.health.decide.MarkedNode;
import dev.drydock.health.decide.MarkedNode.ManualEnd;
import dev.drydock.health.decide.NodeEdit;
import dev.drydock.health.decide.NodeEdits;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.decide.QuarantineState;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
    NodeFeed feed,
    Watch<QuarantineNodeObject> nodes,
    LatestObjects<QuarantineNodeObject> latest,
    Supplier<Fleet> fleets,
    Supplier<Optional<String>> stopped) {

  private static final EventRecorder.Occurrence UNTRACKED =
      new EventRecorder.Occurrence(true, "TooManyFailures", "Quarantine");

  /** Whether nodes and breakers have been read. */
  boolean isKnown() {
    return nodes.isListed() && breaker.isKnown();
  }

  Optional<QuarantineNodeObject> node(String name) {
    return latest.find(name);
  }

  Fleet fleet() {
    return fleets.get();
  }

  /** Counts what a write has changed. */
  void counted(QuarantineNodeObject node, NodeEdit edit) {
    MarkedNode before = node.node();
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
    tellUntracked(node, edit.state());
    Optional<Quarantine> ended = before.state().quarantine();
    if (ended.isPresent() && edit.state().quarantine().isEmpty()) {
      metrics.unquarantined(
          before.name(),
          ended.get().faults().getFirst().event(),
          Duration.between(ended.get().since(), kube.clock().instant()),
          QuarantineAnnotations.drainTime(node.annotations(), ended.get().episode()));
    }
  }

  /** What is not tracked by itself is said on the Node, too. */
  private void tellUntracked(QuarantineNodeObject node, QuarantineState after) {
    int before = node.node().state().quarantine().map(one -> one.untracked().size()).orElse(0);
    after.quarantine().map(Quarantine::untracked).orElse(List.of()).stream()
        .skip(before)
        .forEach(
            fault -> {
              metrics.untracked(fault.scope().name().toLowerCase(Locale.ROOT));
              kube.events()
                  .record(
                      new EventRecorder.Regarding("v1", "Node", "", node.name(), node.uid()),
                      UNTRACKED,
                      "%s: %s".formatted(fault.event().checkName(), fault.event().message()));
            });
  }

  void counted(String node, ManualEnd end) {
    switch (end) {
      case UNCORDONED -> metrics.uncordonedManually(node);
      case UNTAINTED -> metrics.untaintedManually(node);
      case NONE -> {}
    }
  }
}
