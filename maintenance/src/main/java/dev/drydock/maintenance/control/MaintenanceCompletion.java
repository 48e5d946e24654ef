package dev.drydock.maintenance.control;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.maintenance.decide.AdvisoryConditions;
import dev.drydock.maintenance.decide.CompletionKind;
import dev.drydock.maintenance.decide.MaintenanceEvent;
import dev.drydock.maintenance.decide.MaintenanceStep.Complete;
import dev.drydock.maintenance.decide.MaintenanceStep.ConditionChange;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.decide.TransitionMessages;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends maintenances of one node: ends what drains it, takes what they left on it, tells of it, and
 * lets them go.
 */
final class MaintenanceCompletion {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceCompletion.class);

  private final String node;
  private final ReconcileContext context;

  MaintenanceCompletion(String node, ReconcileContext context) {
    this.node = node;
    this.context = context;
  }

  /** Whether the object is still there without our finalizer. */
  static boolean stays(NotifyMaintenanceObject seen) {
    return !seen.facts().deleted()
        || seen.object().finalizers().stream()
            .anyMatch(finalizer -> !finalizer.equals(MaintenanceNames.FINALIZER));
  }

  NotifyMaintenanceObject complete(
      NotifyMaintenanceObject first, Optional<MaintenanceNodeObject> now, Complete complete) {
    NotifyMaintenanceObject seen = first;
    if (stays(first) && first.facts().condition(AdvisoryConditions.COMPLETED).isEmpty()) {
      seen = context.writer().complete(first, condition(complete.midway()));
      context.events().recordEntries(first, seen);
      if (complete.midway()) {
        // Recorded now, because a retry after a conflict below no longer sees it as midway.
        context
            .events()
            .record(
                seen,
                MaintenanceEvent.UncordonedMidway,
                "node %s was uncordoned in state %s%s"
                    .formatted(node, seen.facts().state().text(), runningJobs(seen)));
      }
    }
    context.automation().endDrain(seen); // if a person ended it, nothing else has
    clean(seen, now, complete.nodeLabels());
    CompletionKind how =
        complete.cancelled()
            ? CompletionKind.CANCELLED
            : seen.isUncordonedMidway() ? CompletionKind.ENDED_EARLY : CompletionKind.ORDINARY;
    context.around().notices().keep(seen, NoticeEvent.MAINTENANCE_COMPLETE, how);
    context
        .events()
        .record(
            seen, MaintenanceEvent.MaintenanceComplete, TransitionMessages.completed(seen.facts()));
    NotifyMaintenanceObject after = context.writer().removeFinalizer(seen);
    context.around().watcher().completed(seen, context.kube().clock().instant());
    return after;
  }

  /** Writes down that it is over, which another controller has seen to. */
  NotifyMaintenanceObject settle(NotifyMaintenanceObject seen) {
    context.automation().endDrain(seen);
    return context.writer().complete(seen, condition(false));
  }

  /** Lets one go of which nothing is to be told. */
  NotifyMaintenanceObject forget(
      NotifyMaintenanceObject seen, Optional<MaintenanceNodeObject> now, Set<String> labels) {
    clean(seen, now, labels);
    return context.writer().removeFinalizer(seen);
  }

  private ConditionChange condition(boolean midway) {
    return new ConditionChange(
        AdvisoryConditions.COMPLETED,
        MaintenanceNames.TRUE,
        midway ? MaintenanceEvent.UncordonedMidway.name() : "Uncordoned",
        "node " + node + " is schedulable again");
  }

  /** They are not stopped: half a firmware update is worse than one on a node in service. */
  private String runningJobs(NotifyMaintenanceObject seen) {
    return context.classes().jobs().stream()
        .filter(job -> job.isOf(seen.facts().identity()) && job.isRunning())
        .map("; %s still runs there"::formatted)
        .collect(Collectors.joining());
  }

  private void clean(
      NotifyMaintenanceObject seen, Optional<MaintenanceNodeObject> now, Set<String> labels) {
    if (!labels.isEmpty()) {
      now.ifPresent(there -> context.nodes().removeLabels(there, labels));
    }
    // Its hold would keep the node out of service although the maintenance is gone.
    try {
      if (now.filter(there -> there.isHeldFor(seen.facts())).isPresent()) {
        String holder = seen.facts().holder();
        var _ = context.around().holds().release(node, holder, seen.uid());
      }
    } catch (HoldsUnreadable unreadable) {
      // When the annotation is fixed, all holds are checked, also those without an owner.
      LOG.warn("NotifyMaintenance {}: {}", seen, unreadable.getMessage());
    }
  }
}
