package dev.drydock.health.decide;

import java.util.Optional;

/**
 * What a rule set does to a node when it matches.
 *
 * @param order its place in the file
 * @param cordon whether the node is taken out of service
 */
public record RuleActions(
    String name,
    int order,
    int priority,
    boolean cordon,
    Optional<NodeTaint> taint,
    Optional<RuleLabel> label) {

  /** A label for the time of the quarantine. */
  public record RuleLabel(String key, String value) {}
}
