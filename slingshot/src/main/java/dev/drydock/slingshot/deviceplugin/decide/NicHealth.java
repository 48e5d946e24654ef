package dev.drydock.slingshot.deviceplugin.decide;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether pods may get a network interface. A link counts as down or up only after it has been so
 * for a while, so that a link that flaps does not change what the kubelet offers. Everything else
 * counts at once.
 *
 * @param linkUp the state that counts
 * @param otherSince since when the link is seen in the other state, as a time that has passed
 * @param unusable why the interface cannot be used whatever its link, if so
 */
public record NicHealth(boolean linkUp, @Nullable Duration otherSince, Optional<String> unusable) {

  /** An interface that was not known before is taken as it is. */
  public static NicHealth first(NicCondition seen) {
    return new NicHealth(seen.linkUp(), null, seen.unusable());
  }

  /**
   * The health after another look.
   *
   * @param now the time that has passed since some moment
   * @param hysteresis how long a link must be in the other state until that counts
   */
  public NicHealth next(NicCondition seen, Duration now, Duration hysteresis) {
    if (seen.linkUp() == linkUp) {
      return new NicHealth(linkUp, null, seen.unusable());
    }
    Duration since = otherSince == null ? now : otherSince;
    return now.minus(since).compareTo(hysteresis) >= 0
        ? new NicHealth(seen.linkUp(), null, seen.unusable())
        : new NicHealth(linkUp, since, seen.unusable());
  }

  public boolean healthy() {
    return problem().isEmpty();
  }

  /** Why pods do not get it, for people. */
  public Optional<String> problem() {
    return unusable.isPresent() || linkUp ? unusable : Optional.of("its link is down");
  }

  /** When another look is due, because the other state of the link will count. */
  public Optional<Duration> due(Duration hysteresis) {
    return Optional.ofNullable(otherSince).map(since -> since.plus(hysteresis));
  }
}
