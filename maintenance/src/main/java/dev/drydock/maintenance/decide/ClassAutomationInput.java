package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The inputs of a decision about a maintenance with a class, besides those of the state machine.
 *
 * @param maintenanceClass empty if the class does not exist
 * @param node empty if it does not exist
 * @param leave why the node must not leave service now; empty if it may
 * @param busyWith another maintenance that works on the node, or whose turn it is
 * @param stopped why nothing new may start, if the andon cord is pulled
 */
public record ClassAutomationInput(
    MaintenanceFacts maintenance,
    Optional<ClassFacts> maintenanceClass,
    Optional<NodeState> node,
    DrainProgress emptying,
    List<Attempt> work,
    List<Attempt> proof,
    Optional<String> leave,
    Optional<String> busyWith,
    Optional<String> stopped,
    Instant begun,
    Instant now) {

  /** Whether the decision depends on the progress of a drain. */
  public static boolean isDraining(MaintenanceFacts maintenance) {
    return !maintenance.deleted()
        && switch (maintenance.state()) {
          case STARTED, SLA_EXPIRED -> true;
          case NONE, SCHEDULED, DRAINED, VALIDATING, INCOMPLETE, UNKNOWN -> false;
        };
  }

  /** Whether the decision depends on whether the node may leave service. */
  public static boolean isLeaving(MaintenanceFacts maintenance) {
    return maintenance.state() == MaintenanceState.SCHEDULED;
  }

  /**
   * The facts about the Node that the class's steps need.
   *
   * @param held by this maintenance
   * @param labelled with its label
   * @param madeAnew the Node was deleted and created again after the maintenance began
   */
  public record NodeState(
      boolean held, boolean labelled, boolean unschedulable, boolean ready, boolean madeAnew) {
    /**
     * Reads them from the Node.
     *
     * @param held by this maintenance
     * @param created when the Node was created
     * @param begun when the maintenance took the node; its creation, if it has not
     */
    public static NodeState of(
        MaintenanceFacts maintenance,
        MaintainedNode node,
        boolean held,
        boolean ready,
        Instant created,
        Instant begun) {
      return new NodeState(
          held,
          node.labels().contains(maintenance.nodeLabel()),
          node.unschedulable(),
          ready,
          created.isAfter(begun) && created.isAfter(maintenance.identity().created()));
    }

    boolean isOurs() {
      return held && labelled && unschedulable;
    }

    /** Whether it lost hold and label with its predecessor, not because a person uncordoned it. */
    boolean isLostAnew() {
      return madeAnew && !(held && labelled);
    }
  }

  /** The progress of the drain. */
  public sealed interface DrainProgress {
    /** Not started. */
    record NotBegun() implements DrainProgress {}

    /** In progress. */
    record UnderWay(String waitingFor) implements DrainProgress {}

    /** No pod that had to leave exists any more. */
    record Done() implements DrainProgress {}

    /** It cannot end in the current state. */
    record Failed(String why) implements DrainProgress {}
  }

  /**
   * A Job for a step; attempts are numbered from 1.
   *
   * @param job its name
   * @param message why it failed, or why it does not get on; may be empty
   */
  public record Attempt(int number, String job, Stage stage, Instant finished, String message) {
    /** The state of a Job. */
    public enum Stage {
      RUNNING,
      SUCCEEDED,
      FAILED
    }
  }

  public ClassAutomationInput {
    work = List.copyOf(work);
    proof = List.copyOf(proof);
  }
}
