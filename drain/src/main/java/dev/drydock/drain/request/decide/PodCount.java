package dev.drydock.drain.request.decide;

import dev.drydock.drain.engine.decide.Decision;

import java.util.OptionalInt;

/**
 * What an earlier process wrote down of a drain that is carried on.
 *
 * @param left absent if it had not looked yet
 */
public record PodCount(int gone, OptionalInt left) {
  public static final PodCount NONE = new PodCount(0, OptionalInt.empty());

  /** After the first look of the next process: pods that went while nobody looked are gone too. */
  public PodCount seen(Decision.Progress firstLook) {
    return new PodCount(
        gone + Math.max(0, left.orElse(0) - firstLook.total()), OptionalInt.empty());
  }
}
