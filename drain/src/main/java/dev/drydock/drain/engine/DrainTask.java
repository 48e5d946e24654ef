package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.DrainPolicy;

/**
 * What is to be drained, on whose behalf and how.
 *
 * @param holder keeps the node out of service from the start until it releases the hold; the same
 *     holder continues a drain that was interrupted, deadlines included
 * @param reason for people who look at the node
 * @param holdAgain whether to hold the node again if someone uncordons it; otherwise the drain ends
 * @param patient whether to wait if the policy refuses pods; otherwise the drain ends
 */
public record DrainTask(
    String node,
    String holder,
    String reason,
    DrainPolicy policy,
    boolean holdAgain,
    boolean patient) {

  public static DrainTask of(String node, String holder, String reason, DrainPolicy policy) {
    return new DrainTask(node, holder, reason, policy, false, false);
  }

  public DrainTask patiently() {
    return new DrainTask(node, holder, reason, policy, holdAgain, true);
  }
}
