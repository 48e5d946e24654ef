package dev.drydock.drain.hold.decide;

import dev.drydock.contracts.ShortText;
import java.time.Instant;
import java.util.Optional;

/**
 * One reason to keep a node out of service.
 *
 * @param holder e.g. {@code notifymaintenance/ops/gpu-fw-17}; only the same holder can release it
 * @param until when it expires
 * @param owner the UID of the object that holds the node, because another one may get its name
 * @param work the Job that works on the node for the holder, if one does
 */
public record Hold(
    String holder,
    String reason,
    Instant since,
    Optional<Instant> until,
    Optional<String> owner,
    Optional<Work> work) {
  /** Represents a cordon that existed before the first hold. */
  public static final String EXTERNAL = "external";

  /** Followed by the holder that a hold had until its owner was gone. */
  public static final String GONE_PREFIX = "gone/";

  /** All annotations of a Node together may have 256 KiB, and other programs need some of it. */
  private static final int LONGEST_REASON = 1_000;

  /**
   * A Job.
   *
   * @param uid empty until the holder has seen the Job that it creates
   */
  public record Work(String namespace, String job, String uid) {}

  public Hold {
    reason = ShortText.of(reason, LONGEST_REASON);
    if (holder.isBlank() || !holder.strip().equals(holder) || holder.lines().count() != 1) {
      throw new IllegalArgumentException(
          "a hold needs a holder without spaces around it, not \"" + holder + "\"");
    }
    if (until.filter(end -> !end.isAfter(since)).isPresent()) {
      throw new IllegalArgumentException(
          "the hold of " + holder + " must end after it begins at " + since);
    }
  }

  public static Hold of(String holder, String reason, Instant since) {
    return new Hold(holder, reason, since, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public Hold until(Instant end) {
    return new Hold(holder, reason, since, Optional.of(end), owner, work);
  }

  public Hold ownedBy(String uid) {
    return new Hold(holder, reason, since, until, Optional.of(uid), work);
  }

  Hold startingAt(Instant start) {
    return new Hold(holder, reason, start, until.filter(start::isBefore), owner, work);
  }

  public Hold working(Work on) {
    return new Hold(holder, reason, since, until, owner, Optional.of(on));
  }

  /** Whether it may be of an object with this UID; one that names no owner may be anybody's. */
  public boolean mayBeOf(String uid) {
    return owner.filter(other -> !other.equals(uid)).isEmpty();
  }

  /** The hold of an owner that is gone: only a person can release it now. */
  Hold disowned() {
    String why =
        "%s%s is gone and never said that the node is fit: look at the node, then uncordon it"
            .formatted(reason.isEmpty() ? "" : reason + "; ", holder);
    return new Hold(GONE_PREFIX + holder, why, since, Optional.empty(), Optional.empty(), work);
  }
}
