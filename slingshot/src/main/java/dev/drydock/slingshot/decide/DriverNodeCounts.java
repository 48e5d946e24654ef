package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How many nodes of a CXIDriver are in which state.
 *
 * @param outdated those in service with another driver than the wanted one
 * @param skipped those of them that a label keeps as they are
 */
record DriverNodeCounts(
    int total, int ready, int updating, int outdated, int skipped, List<CxiNode> failed) {
  static DriverNodeCounts of(EffectiveSpec spec, Collection<CxiNode> nodes) {
    int ready = 0;
    int updating = 0;
    int outdated = 0;
    int skipped = 0;
    List<CxiNode> failed = new ArrayList<>();
    String revision = spec.revision();
    for (CxiNode node : nodes) {
      Optional<MaintenanceState> state = node.maintenance().map(CxiNode.Maintenance::state);
      if (state.filter(MaintenanceState.INCOMPLETE::equals).isPresent()
          || brokenAtFirst(node)
          || isCutShort(node, revision)) {
        failed.add(node);
      } else if (state.filter(MaintenanceState::isInProgress).isPresent()) {
        updating++;
      } else if (node.isAt(revision) && node.ready()) {
        ready++;
      } else if (spec.installs() && RolloutPlan.needsUpdate(node, revision)) {
        outdated++;
        skipped += node.isSkipped() ? 1 : 0;
      }
    }
    failed.sort(Comparator.comparing(CxiNode::name));
    return new DriverNodeCounts(nodes.size(), ready, updating, outdated, skipped, failed);
  }

  /** Whether every node that is to have the wanted driver has it. */
  boolean isDone() {
    return total > 0 && ready + skipped == total;
  }

  private static boolean isCutShort(CxiNode node, String revision) {
    return node.cutShort()
        && node.maintenance().isEmpty()
        && RolloutPlan.needsUpdate(node, revision);
  }

  private static boolean brokenAtFirst(CxiNode node) {
    return node.maintenance().isEmpty()
        && node.report().filter(report -> report.state() == DriverReport.State.Failed).isPresent();
  }
}
