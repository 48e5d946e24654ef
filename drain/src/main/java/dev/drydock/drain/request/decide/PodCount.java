package dev.drydock.drain.request.decide;

import dev.drydock.drain.engine.decide.Decision;
import java.util.OptionalInt;

/**
 * The counts that an earlier process recorded for a drain that is continued.
 *
 * @param left absent if it had not observed the pods yet
 */
public record PodCount(int gone, OptionalInt left) {
  public static final PodCount NONE = new PodCount(0, OptionalInt.empty());

  /** After the next process's first observation: pods that left in between count as gone. */
  public PodCount seen(Decision.Progress firstLook) {
    return new PodCount(
        gone + Math.max(0, left.orElse(0) - firstLook.total()), OptionalInt.empty());
  }
}
