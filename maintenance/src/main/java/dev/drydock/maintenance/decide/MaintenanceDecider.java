package dev.drydock.maintenance.decide;

import static dev.drydock.contracts.ngn2.MaintenanceNames.COMPLETE;
import static dev.drydock.contracts.ngn2.MaintenanceNames.FAILED;
import static dev.drydock.contracts.ngn2.MaintenanceNames.INCOMPLETE;
import static dev.drydock.contracts.ngn2.MaintenanceNames.MAINTENANCE_CLIENT;
import static dev.drydock.contracts.ngn2.MaintenanceNames.MAINTENANCE_CONDITION;
import static dev.drydock.contracts.ngn2.MaintenanceNames.READY;
import static dev.drydock.contracts.ngn2.MaintenanceNames.READY_CONDITION;
import static dev.drydock.contracts.ngn2.MaintenanceNames.TRUE;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATED;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATION_CLIENT;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATION_CONDITION;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.decide.MaintenanceStep.ConditionChange;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The state machine of a maintenance: the next step, given all observed facts. T1 to T13 are the
 * transitions of NotifyMaintenance as its clients know them.
 */
public final class MaintenanceDecider {
  private MaintenanceDecider() {}

  public static MaintenanceStep decide(MaintenanceInput input) {
    MaintenanceFacts maintenance = input.maintenance();
    if (maintenance.isOver()) {
      return new MaintenanceStep.Wait(Optional.empty(), "");
    }
    if (!maintenance.state().hasBegun()) {
      return maintenance.deleted() ? forget(input) : begin(input);
    }
    if (!maintenance.finalizer() && !maintenance.deleted()) {
      return isEndedByAnother(input) ? new MaintenanceStep.Settle() : new MaintenanceStep.Restore();
    }
    if (maintenance.deleted() && !maintenance.terminated()) {
      return new MaintenanceStep.Terminate(noticeOfDeletion(maintenance.state())); // T11, T12
    }
    return completion(input)
        .or(() -> advisoryConditions(input))
        .or(() -> maintenance.terminated() ? Optional.empty() : transition(input))
        .orElseGet(() -> WaitMessages.of(input));
  }

  /**
   * A missing finalizer alone does not mean that a maintenance is over. The controller that this
   * API comes from removes it, and the label, when the node is back, and writes down nothing else.
   */
  private static boolean isEndedByAnother(MaintenanceInput input) {
    return input
        .node()
        .filter(node -> !node.unschedulable())
        .filter(node -> !node.labels().contains(input.maintenance().nodeLabel()))
        .isPresent();
  }

  /** T10. Removes the label first, because it cannot be found after the object is gone. */
  private static MaintenanceStep forget(MaintenanceInput input) {
    if (!input.maintenance().finalizer()) {
      return new MaintenanceStep.Wait(Optional.empty(), "");
    }
    return new MaintenanceStep.Forget(
        input
            .node()
            .filter(node -> node.labels().contains(input.maintenance().nodeLabel()))
            .map(node -> Set.of(input.maintenance().nodeLabel()))
            .orElse(Set.of()));
  }

  /** T1 and T2. */
  private static MaintenanceStep begin(MaintenanceInput input) {
    MaintenanceFacts maintenance = input.maintenance();
    if (!maintenance.finalizer() || !maintenance.labelled()) {
      return new MaintenanceStep.Adopt();
    }
    if (maintenance.state() == MaintenanceState.NONE) {
      return move(
          maintenance,
          MaintenanceState.SCHEDULED,
          NoticeEvent.SCHEDULED,
          TransitionMessages.scheduled(maintenance.node()));
    }
    boolean taken =
        input
            .node()
            .filter(MaintainedNode::unschedulable)
            .filter(node -> node.labels().contains(maintenance.nodeLabel()))
            .isPresent();
    if (taken) {
      Instant deadline = deadline(input);
      return new MaintenanceStep.Move(
          MaintenanceState.STARTED,
          Optional.of(deadline),
          List.of(),
          NoticeEvent.SLA_STARTED,
          TransitionMessages.started(maintenance.node(), deadline),
          WaitMessages.after(MaintenanceState.STARTED, maintenance));
    }
    return advisoryConditions(input).orElseGet(() -> WaitMessages.of(input));
  }

  /**
   * The SLA period belongs to the node: a maintenance that starts while one runs shares its
   * deadline.
   */
  private static Instant deadline(MaintenanceInput input) {
    return input
        .maintenance()
        .slaExpires()
        .or(
            () ->
                input.others().stream()
                    .filter(MaintenanceFacts::isActive)
                    .flatMap(other -> other.slaExpires().stream())
                    .filter(end -> end.isAfter(input.now()))
                    .min(Instant::compareTo))
        .orElseGet(
            () -> input.now().plus(input.rules().slaPeriod()).truncatedTo(ChronoUnit.SECONDS));
  }

  private static NoticeEvent noticeOfDeletion(MaintenanceState state) {
    return isCancelledBy(state) ? NoticeEvent.MAINTENANCE_CANCELLED : NoticeEvent.MAINTENANCE_ENDED;
  }

  private static boolean isCancelledBy(MaintenanceState state) {
    return state == MaintenanceState.STARTED || state == MaintenanceState.SLA_EXPIRED;
  }

  /** T13, in any state: a node that is back in service ends the maintenance. */
  private static Optional<MaintenanceStep> completion(MaintenanceInput input) {
    MaintenanceFacts maintenance = input.maintenance();
    boolean begun = maintenance.condition(AdvisoryConditions.COMPLETED).isPresent();
    if (input.node().isEmpty()) {
      return begun || maintenance.terminated()
          ? Optional.of(complete(input, Set.of(), false))
          : Optional.empty();
    }
    MaintainedNode node = input.node().get();
    boolean concerned = node.labels().contains(maintenance.nodeLabel()) || maintenance.terminated();
    if (!begun && (node.unschedulable() || !concerned)) {
      return Optional.empty();
    }
    boolean midway = !begun && maintenance.isActive() && !isFit(maintenance);
    if (midway && input.rules().recordon()) {
      return Optional.of(new MaintenanceStep.Recordon());
    }
    return Optional.of(complete(input, labelsThatEnd(input, node), midway));
  }

  /** Its node may be returned before or after it is deleted. */
  private static boolean isFit(MaintenanceFacts maintenance) {
    return maintenance.state() == MaintenanceState.VALIDATING
        && (maintenance.isProved()
            || maintenance.annotation(VALIDATION_CLIENT).filter(VALIDATED::equals).isPresent());
  }

  private static MaintenanceStep complete(
      MaintenanceInput input, Set<String> nodeLabels, boolean midway) {
    MaintenanceFacts maintenance = input.maintenance();
    boolean cancelled = maintenance.terminated() && isCancelledBy(maintenance.state());
    return new MaintenanceStep.Complete(nodeLabels, cancelled, midway);
  }

  /** Our own label, and with the last maintenance also the general ones. */
  private static Set<String> labelsThatEnd(MaintenanceInput input, MaintainedNode node) {
    Set<String> ending = new TreeSet<>(node.maintenanceLabels());
    Set<String> needed = new TreeSet<>();
    boolean last = true;
    for (MaintenanceFacts other : input.others()) {
      if (!other.isOver()) {
        needed.add(other.nodeLabel());
        last &= !other.state().hasBegun();
      }
    }
    ending.removeAll(needed);
    if (!last) {
      ending.retainAll(Set.of(input.maintenance().nodeLabel()));
    }
    return ending;
  }

  private static Optional<MaintenanceStep> advisoryConditions(MaintenanceInput input) {
    List<ConditionChange> conditions = AdvisoryConditions.of(input);
    return conditions.isEmpty()
        ? Optional.empty()
        : Optional.of(new MaintenanceStep.WriteConditions(conditions));
  }

  /** T3 to T9. */
  private static Optional<MaintenanceStep> transition(MaintenanceInput input) {
    MaintenanceFacts maintenance = input.maintenance();
    return switch (maintenance.state()) {
      case STARTED ->
          maintenance.slaExpires().filter(end -> input.now().isAfter(end)).isPresent()
              ? Optional.of(
                  move(
                      maintenance,
                      MaintenanceState.SLA_EXPIRED,
                      NoticeEvent.SLA_EXPIRED,
                      TransitionMessages.slaExpired(maintenance.node())))
              : drained(maintenance);
      case SLA_EXPIRED -> drained(maintenance);
      case DRAINED -> maintained(maintenance);
      case VALIDATING -> validated(maintenance);
      case NONE, SCHEDULED, INCOMPLETE, UNKNOWN -> Optional.empty();
    };
  }

  private static MaintenanceStep move(
      MaintenanceFacts maintenance,
      MaintenanceState to,
      NoticeEvent notice,
      String message,
      ConditionChange... conditions) {
    return new MaintenanceStep.Move(
        to,
        Optional.empty(),
        List.of(conditions),
        notice,
        message,
        WaitMessages.after(to, maintenance));
  }

  private static Optional<MaintenanceStep> drained(MaintenanceFacts maintenance) {
    return maintenance
        .annotation(READY)
        .filter(TRUE::equals)
        .map(
            value ->
                move(
                    maintenance,
                    MaintenanceState.DRAINED,
                    NoticeEvent.OBJECTS_DRAINED,
                    TransitionMessages.drained(maintenance.node()),
                    taken(READY_CONDITION, value)));
  }

  private static Optional<MaintenanceStep> maintained(MaintenanceFacts maintenance) {
    return said(maintenance, MAINTENANCE_CLIENT, MAINTENANCE_CONDITION)
        .map(
            condition ->
                switch (condition.status()) {
                  case COMPLETE ->
                      move(
                          maintenance,
                          MaintenanceState.VALIDATING,
                          NoticeEvent.VALIDATING,
                          TransitionMessages.validating(maintenance.node()),
                          condition);
                  case INCOMPLETE -> incomplete(maintenance, condition);
                  default -> new MaintenanceStep.WriteConditions(List.of(condition));
                });
  }

  private static Optional<MaintenanceStep> validated(MaintenanceFacts maintenance) {
    return said(maintenance, VALIDATION_CLIENT, VALIDATION_CONDITION)
        .map(
            condition ->
                condition.status().equals(FAILED)
                    ? incomplete(maintenance, condition)
                    : new MaintenanceStep.WriteConditions(
                        List.of(condition),
                        condition.status().equals(VALIDATED)
                            ? WaitMessages.afterProof(maintenance)
                            : ""));
  }

  private static MaintenanceStep incomplete(MaintenanceFacts maintenance, ConditionChange why) {
    return move(
        maintenance,
        MaintenanceState.INCOMPLETE,
        NoticeEvent.MAINTENANCE_INCOMPLETE,
        TransitionMessages.incomplete(maintenance.node(), why),
        why);
  }

  /** A client's report, if it is new and allowed. */
  private static Optional<ConditionChange> said(
      MaintenanceFacts maintenance, String annotation, String condition) {
    return maintenance
        .annotation(annotation)
        .filter(value -> ClientAnnotation.of(annotation).allows(value))
        .filter(value -> !maintenance.condition(condition).equals(Optional.of(value)))
        .filter(
            value ->
                maintenance
                    .condition(condition)
                    .filter(ClientAnnotation.of(annotation)::isFinal)
                    .isEmpty())
        .map(value -> taken(condition, value));
  }

  private static ConditionChange taken(String condition, String value) {
    return new ConditionChange(condition, value, "Annotation", "");
  }
}
