package dev.drydock.edge.decide;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * An operation that somebody asked for. It is stored, so that it survives a restart of the agent.
 *
 * @param bootId of the boot in which it was asked for
 * @param context the operation's word, or the id of the OS image
 * @param command what is run; empty for the agent's own command
 * @param message what it waits for or what came of it, for people
 */
public record DeferredOperation(
    EdgeOperation operation,
    State state,
    Instant requestedAt,
    String bootId,
    String context,
    List<String> command,
    String message) {
  /** How far it is. */
  public enum State {
    /** Nobody has looked at it yet. */
    ASKED,
    /** It waits for a drain. */
    DEFERRED,
    /** Its drain failed: it waits for a person, or for another drain of its requester. */
    KEPT,
    /** Its command was started. */
    STARTED,
    DONE,
    FAILED
  }

  public DeferredOperation {
    command = List.copyOf(command);
  }

  public DeferredOperation with(State next, String text) {
    return new DeferredOperation(operation, next, requestedAt, bootId, context, command, text);
  }

  /** A copy that was asked for in another boot. */
  DeferredOperation renewed(String boot) {
    return new DeferredOperation(
        operation, State.ASKED, requestedAt, boot, context, command, message);
  }

  /** Whether somebody may ask for it in this form; only an image has no command of the agent's. */
  public boolean isRequestFor(EdgeOperation wanted) {
    return operation == wanted
        && state == State.ASKED
        && (operation != EdgeOperation.UPDATE || !command.isEmpty());
  }

  public boolean isPending() {
    return state == State.ASKED || state == State.DEFERRED || state == State.KEPT;
  }

  /** Whether the machine is about to go down; after an update whose command failed, it is not. */
  public boolean isUnderWay() {
    return state == State.STARTED || (state == State.DONE && operation != EdgeOperation.UPDATE);
  }

  /**
   * Whether another operation of this boot has begun. A shutdown that logind has begun does not
   * wait for it, because that is what another operation leads to.
   */
  public boolean waitsForAnother(Collection<DeferredOperation> all, String boot) {
    return operation != EdgeOperation.LOGIND
        && all.stream()
            .filter(other -> other.operation() != operation)
            .filter(other -> other.bootId().equals(boot))
            .anyMatch(DeferredOperation::isUnderWay);
  }

  /** What asks for the drain that it needs. */
  public NodeDrainRequest request() {
    return new NodeDrainRequest(requestedAt, operation.requester(), context);
  }
}
