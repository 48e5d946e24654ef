package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.hold.decide.EarlierDrain;
import dev.drydock.drain.hold.decide.HoldClaim;
import java.util.Optional;

/**
 * What is to be drained, on whose behalf and how.
 *
 * @param holder keeps the node out of service from the start until it releases the hold; the same
 *     holder continues a drain that was interrupted, deadlines included
 * @param owner the UID of the object that is drained for, so that another one that gets its name
 *     does not continue this drain
 * @param reason for people who look at the node
 * @param holdAgain whether to hold the node again if someone uncordons it; otherwise the drain ends
 * @param patient whether to wait if the policy refuses pods or the node cannot be held; otherwise
 *     the drain ends
 * @param earlier what an earlier process did for this drain
 */
public record DrainTask(
    String node,
    String holder,
    Optional<String> owner,
    String reason,
    DrainPolicy policy,
    boolean holdAgain,
    boolean patient,
    EarlierDrain earlier) {

  public static DrainTask of(String node, String holder, String reason, DrainPolicy policy) {
    return new DrainTask(
        node, holder, Optional.empty(), reason, policy, false, false, EarlierDrain.NONE);
  }

  public DrainTask patiently() {
    return new DrainTask(node, holder, owner, reason, policy, holdAgain, true, earlier);
  }

  public DrainTask ownedBy(String uid) {
    return new DrainTask(
        node, holder, Optional.of(uid), reason, policy, holdAgain, patient, earlier);
  }

  public DrainTask after(EarlierDrain before) {
    return new DrainTask(node, holder, owner, reason, policy, holdAgain, patient, before);
  }

  /** How the node is held for this drain. */
  HoldClaim.Claimant claimant() {
    return new HoldClaim.Claimant(holder, owner, reason, holdAgain, patient, earlier);
  }
}
