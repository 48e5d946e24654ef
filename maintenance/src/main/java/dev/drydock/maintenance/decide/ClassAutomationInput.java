package dev.drydock.maintenance.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything a decision about a maintenance with a class depends on, besides what moves its state.
 *
 * @param maintenanceClass empty if the class does not exist
 * @param node empty if it does not exist
 * @param leave why the node must not leave service now; empty if it may
 * @param busyWith another maintenance that works on the node
 * @param stopped why nothing new may begin anywhere, if so
 */
public record ClassAutomationInput(
    MaintenanceFacts maintenance,
    Optional<ClassFacts> maintenanceClass,
    Optional<NodeState> node,
    Emptying emptying,
    List<Attempt> work,
    List<Attempt> proof,
    Optional<String> leave,
    Optional<String> busyWith,
    Optional<String> stopped,
    Instant begun,
    Instant now) {

  /**
   * What the class's steps look at of the Node.
   *
   * @param held by this maintenance
   * @param labelled with its label
   */
  public record NodeState(boolean held, boolean labelled, boolean unschedulable, boolean ready) {
    boolean isOurs() {
      return held && labelled && unschedulable;
    }
  }

  /** How far the node is emptied. */
  public sealed interface Emptying {
    /** Nobody has begun. */
    record NotBegun() implements Emptying {}

    /** Somebody is at it. */
    record UnderWay(String waitingFor) implements Emptying {}

    /** No pod that had to go exists any more. */
    record Done() implements Emptying {}

    /** It will not come to an end as things are. */
    record Failed(String why) implements Emptying {}
  }

  /**
   * A Job for a step; they are numbered from 1.
   *
   * @param job its name
   */
  public record Attempt(int number, String job, Stage stage, Instant finished, String message) {
    /** How far a Job is. */
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
