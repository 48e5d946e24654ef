package dev.drydock.health.remediation.decide;

import dev.drydock.contracts.ShortText;
import java.time.Instant;
import java.util.Optional;

/**
 * One maintenance resource that was made, or is about to be made, because of a failure.
 *
 * @param episode of the quarantine
 * @param number how many of its group there were in the episode, with this one
 * @param action that the event recommends
 * @param event the id of the event
 * @param at when it was counted, which is before it is made
 * @param made whether it is known to have been made
 * @param problem why it could not be made at the last try; empty if there is none
 * @param unserved whether nobody seems to serve it
 * @param end what became of it
 * @param outcome what became of the node
 */
public record RemediationAttempt(
    String episode,
    String group,
    int number,
    String action,
    MaintenanceReference resource,
    String event,
    Instant at,
    boolean made,
    String problem,
    boolean unserved,
    Optional<AttemptEnd> end,
    Optional<Outcome> outcome) {
  private static final int LONGEST_PROBLEM = 256;

  /** How the quarantine ended that the attempt was for. */
  public record Outcome(Instant at, Result result) {
    /** Success is that the node was reported healthy, and not that a resource was made. */
    public enum Result {
      RECOVERED,
      /** A person has ended the quarantine. */
      CANCELLED
    }
  }

  static RemediationAttempt planned(
      String episode,
      String group,
      int number,
      String action,
      MaintenanceReference resource,
      String event,
      Instant at) {
    return new RemediationAttempt(
        episode,
        group,
        number,
        action,
        resource,
        event,
        at,
        false,
        "",
        false,
        Optional.empty(),
        Optional.empty());
  }

  /** One that another program made. */
  public static RemediationAttempt foreign(
      String episode, String group, String action, MaintenanceReference resource, Instant at) {
    return planned(episode, group, 1, action, resource, "", at).whenMade();
  }

  RemediationAttempt whenMade() {
    return new RemediationAttempt(
        episode, group, number, action, resource, event, at, true, "", unserved, end, outcome);
  }

  /**
   * The same attempt, which cannot be made for now.
   *
   * @param why as long as it fits on the Node
   */
  public RemediationAttempt withProblem(String why) {
    return new RemediationAttempt(
        episode,
        group,
        number,
        action,
        resource,
        event,
        at,
        made,
        ShortText.of(why, LONGEST_PROBLEM),
        unserved,
        end,
        outcome);
  }

  RemediationAttempt whenUnserved(boolean nobody) {
    return new RemediationAttempt(
        episode, group, number, action, resource, event, at, made, problem, nobody, end, outcome);
  }

  RemediationAttempt ended(AttemptEnd how) {
    return new RemediationAttempt(
        episode,
        group,
        number,
        action,
        resource,
        event,
        at,
        made,
        problem,
        false,
        Optional.of(how.notBefore(at)),
        outcome);
  }

  RemediationAttempt concluded(Outcome how) {
    return new RemediationAttempt(
        episode,
        group,
        number,
        action,
        resource,
        event,
        at,
        made,
        problem,
        unserved,
        end,
        Optional.of(how));
  }

  /** Whether its work may still be under way. */
  public boolean isOpen() {
    return end.isEmpty();
  }

  boolean isFailed() {
    return end.filter(AttemptEnd::isFailure).isPresent();
  }
}
