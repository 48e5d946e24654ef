package dev.drydock.app.status;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.decide.Hold;
import dev.drydock.maintenance.command.MaintenanceProgress;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The displayed status of one node.
 *
 * @param holds its holders
 * @param since when the state began, if known
 * @param eta how long its drain takes, or when its holds end
 * @param deadline until when its drain does not use force
 * @param waitsFor what has to happen, or who has to act
 */
record NodeStatus(
    String node,
    String state,
    List<String> holds,
    List<Task> maintenances,
    @Nullable Instant since,
    @Nullable String eta,
    @Nullable Instant deadline,
    List<String> waitsFor) {
  static final String IN_SERVICE = "in service";
  static final String DRAINING = "draining";

  /** Precedes a time, if it is known when the node is released. */
  static final String UNTIL = "until ";

  private static final String NOT_READY = "NotReady";

  /** A maintenance of the node. */
  record Task(
      String id, @Nullable String maintenanceClass, String namespace, String name, String state) {}

  /** Whether it is simply in service. */
  @JsonIgnore
  boolean isPlain() {
    return state.equals(IN_SERVICE)
        && holds.isEmpty()
        && maintenances.isEmpty()
        && waitsFor.isEmpty();
  }

  /** Simply in service. */
  static NodeStatus plain(String node) {
    return new NodeStatus(node, IN_SERVICE, List.of(), List.of(), null, null, null, List.of());
  }

  /** With the blockers found from its pods. */
  NodeStatus with(String newEta, List<String> blockers) {
    return new NodeStatus(
        node, state, holds, maintenances, since, newEta, deadline, List.copyOf(blockers));
  }

  /** From all objects about this node. */
  static NodeStatus of(
      NodeSnapshot node, List<NotifyMaintenanceObject> all, List<DrainRequestSnapshot> requests) {
    List<NotifyMaintenanceObject> active =
        all.stream()
            .filter(each -> !each.facts().isOver())
            .sorted(
                Comparator.comparingInt((NotifyMaintenanceObject each) -> rank(each)).reversed())
            .toList();
    List<DrainRequestSnapshot> drains =
        requests.stream()
            .filter(each -> !each.isOver())
            .sorted(Comparator.comparing(DrainRequestSnapshot::created))
            .toList();
    Standing standing = standing(node, active, drains);
    String state = standing.state();
    if (node.notReady().isPresent()) {
      state = state.equals(IN_SERVICE) ? NOT_READY : NOT_READY + ", " + state;
    }
    return new NodeStatus(
        node.name(),
        state,
        List.copyOf(node.holds().byHolder().keySet()),
        active.stream().map(NodeStatus::task).toList(),
        standing.since().orElse(null),
        eta(node, drains).orElse(null),
        active.stream()
            .filter(each -> each.facts().state() == MaintenanceState.STARTED)
            .flatMap(each -> each.facts().slaExpires().stream())
            .min(Instant::compareTo)
            .orElse(null),
        waits(node, active, drains));
  }

  /** Later states say more about the node. */
  private static int rank(NotifyMaintenanceObject maintenance) {
    return switch (maintenance.facts().state()) {
      case NONE -> 0;
      case UNKNOWN -> 1;
      case SCHEDULED -> 2;
      case STARTED -> 3;
      case SLA_EXPIRED -> 4;
      case DRAINED -> 5;
      case VALIDATING -> 6;
      case INCOMPLETE -> 7;
    };
  }

  private static Task task(NotifyMaintenanceObject seen) {
    return new Task(
        seen.facts().spec().maintenanceID(),
        seen.facts().spec().maintenanceClass(),
        seen.facts().identity().namespace(),
        seen.facts().identity().name(),
        seen.facts().state().text());
  }

  private record Standing(String state, Optional<Instant> since) {}

  private static Standing standing(
      NodeSnapshot node, List<NotifyMaintenanceObject> active, List<DrainRequestSnapshot> drains) {
    Optional<NotifyMaintenanceObject> first =
        active.stream().filter(each -> each.facts().state() != MaintenanceState.NONE).findFirst();
    if (first.isPresent()) {
      return new Standing(first.get().facts().state().text(), Optional.of(first.get().since()));
    }
    if (!drains.isEmpty()) {
      return new Standing(drains.getFirst().state(), Optional.of(drains.getFirst().created()));
    }
    if (node.draining().isPresent()) {
      return new Standing(DRAINING, node.draining());
    }
    if (!node.holds().unschedulable()) {
      return new Standing(IN_SERVICE, node.notReady().map(NodeSnapshot.NotReady::since));
    }
    if (node.drained().isPresent()) {
      return new Standing("drained", node.drained());
    }
    Optional<Instant> held =
        node.holds().byHolder().values().stream().map(Hold::since).min(Instant::compareTo);
    return new Standing(held.isPresent() ? "held" : "cordoned", held);
  }

  private static Optional<String> eta(NodeSnapshot node, List<DrainRequestSnapshot> drains) {
    Optional<String> drain =
        drains.stream().map(DrainRequestSnapshot::eta).filter(eta -> !eta.isEmpty()).findFirst();
    boolean ends =
        !node.holds().byHolder().isEmpty()
            && node.holds().byHolder().values().stream().allMatch(hold -> hold.until().isPresent());
    return drain.or(
        () ->
            node.holds().byHolder().values().stream()
                .flatMap(hold -> hold.until().stream())
                .max(Instant::compareTo)
                .filter(end -> ends)
                .map(end -> UNTIL + end.truncatedTo(ChronoUnit.SECONDS)));
  }

  private static List<String> waits(
      NodeSnapshot node, List<NotifyMaintenanceObject> active, List<DrainRequestSnapshot> drains) {
    Set<String> waits = new LinkedHashSet<>();
    node.unreadable().ifPresent(waits::add);
    node.notReady()
        .map(NodeSnapshot.NotReady::message)
        .filter(m -> !m.isEmpty())
        .ifPresent(waits::add);
    List<String> ofDrains = drains.stream().flatMap(each -> each.waits().stream()).toList();
    for (NotifyMaintenanceObject maintenance : active) {
      String wait =
          maintenance.facts().state() == MaintenanceState.NONE
              ? "NotifyMaintenance %s to be taken up; is 'drydock operator' running?"
                  .formatted(maintenance)
              : MaintenanceProgress.waitsFor(maintenance);
      // The drain's own message is more precise.
      boolean saidBelow = wait.startsWith("DrainRequest ") && !ofDrains.isEmpty();
      if (!wait.isEmpty() && !saidBelow) {
        waits.add(wait);
      }
    }
    waits.addAll(ofDrains);
    if (waits.isEmpty() && drains.isEmpty() && active.isEmpty() && node.draining().isEmpty()) {
      waits.addAll(holders(node));
    }
    return List.copyOf(waits);
  }

  private static List<String> holders(NodeSnapshot node) {
    List<String> holders = new ArrayList<>();
    for (Hold hold : node.holds().byHolder().values()) {
      String why = hold.reason().isEmpty() ? "" : " (" + hold.reason() + ")";
      holders.add(
          node.holds().unschedulable()
              ? hold.holder() + " to release it" + why
              : "the hold of %s%s is void: the node was uncordoned by hand"
                  .formatted(hold.holder(), why));
    }
    if (holders.isEmpty() && node.holds().unschedulable()) {
      holders.add("somebody to uncordon it: it was not cordoned by Drydock");
    }
    return holders;
  }
}
