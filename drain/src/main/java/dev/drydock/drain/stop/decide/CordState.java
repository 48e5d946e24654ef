package dev.drydock.drain.stop.decide;

import java.time.Duration;
import java.util.Optional;

/**
 * What a process knows of the andon cord. While the cord is out of sight, the last known state
 * applies for some minutes; then it counts as pulled. A pull stands until its release is confirmed.
 *
 * @param seen whether the cord has ever been seen
 * @param standing the last pull, until it is known to be released
 * @param blindSince since when the cord is out of sight, as elapsed time of the process
 */
public record CordState(boolean seen, Optional<String> standing, Optional<Duration> blindSince) {
  /** After this long without sight of it, it counts as pulled. */
  public static final Duration LONGEST_BLIND = Duration.ofMinutes(3);

  /** Of a process that has just started: the cord counts as pulled until it is seen. */
  public static final CordState UNSEEN = new CordState(false, Optional.empty(), Optional.empty());

  /**
   * What the watch of the cord shows.
   *
   * @param pulled who pulled it and why, if it is there; the last known state if it is out of sight
   * @param unsynced why it is out of sight, if it is
   */
  public record Sight(Optional<String> pulled, Optional<String> unsynced) {
    boolean isGone() {
      return pulled.isEmpty() && unsynced.isEmpty();
    }
  }

  public CordState next(Sight sight, Duration elapsed) {
    Optional<String> stands = sight.pulled().or(() -> standing);
    return sight.unsynced().isEmpty()
        ? new CordState(true, stands, Optional.empty())
        : new CordState(seen, stands, blindSince.or(() -> Optional.of(elapsed)));
  }

  /**
   * Whether the cord is gone though a pull stands. The ConfigMap also vanishes when its namespace
   * is deleted, and then nobody has released the cord.
   */
  public boolean awaitsConfirmation(Sight sight) {
    return standing.isPresent() && sight.isGone();
  }

  /**
   * After it was confirmed that the cord was released, not deleted with its namespace. It may have
   * been pulled again meanwhile.
   */
  public CordState released(Sight sight) {
    return awaitsConfirmation(sight) ? new CordState(seen, Optional.empty(), blindSince) : this;
  }

  /** Why nothing may start; empty if it may. */
  public Optional<String> stopped(Sight sight, Duration elapsed) {
    boolean blind =
        blindSince.filter(since -> elapsed.minus(since).compareTo(LONGEST_BLIND) >= 0).isPresent();
    return seen && !blind
        ? standing
        : sight.unsynced().map(why -> "cannot read the andon cord: " + why).or(() -> standing);
  }
}
