package dev.drydock.slingshot.decide;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why the update of a node failed. Decided once, when it is found; kept with the node's
 * maintenance, and shown from there.
 *
 * @param message for people; nothing is decided by it
 */
public record UpdateFailure(Cause cause, String message) {
  /** What kind of failure it is. */
  public enum Cause {
    /** The driver agent could not install the driver. */
    InstallFailed,
    /** The node did not become healthy in time. */
    HealthCheckTimeout,
    /** Its devices counted more errors than the gate allows. */
    CountersExceeded,
    /** The agent installed another driver than the wanted one. */
    WrongRevision,
    /** The node is not fit with its previous driver either. */
    RollbackFailed,
    /** It was declared complete, and its agent said nothing about it. */
    NotReported,
    /** The node left the CXIDriver, and its agent with it. */
    NodeLeft,
    /** Whatever another version of the operator wrote. */
    Unknown
  }

  /** As it is kept in two annotations; empty if there is none. */
  public static Optional<UpdateFailure> of(@Nullable String cause, @Nullable String message) {
    return message == null
        ? Optional.empty()
        : Optional.of(
            new UpdateFailure(
                Arrays.stream(Cause.values())
                    .filter(each -> each.name().equals(cause))
                    .findFirst()
                    .orElse(Cause.Unknown),
                message));
  }

  UpdateFailure because(Cause other, String before) {
    return new UpdateFailure(other, before + message);
  }

  UpdateFailure with(String more) {
    return new UpdateFailure(cause, message + more);
  }
}
