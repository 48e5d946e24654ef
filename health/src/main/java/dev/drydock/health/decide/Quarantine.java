package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A node's quarantine: the failures that keep it out of service.
 *
 * @param episode the id of the event that began it, which is on every document and resource of it;
 *     work that belongs to another episode is stale
 * @param faults never empty
 */
public record Quarantine(String episode, Instant since, List<TrackedFault> faults) {
  /**
   * How much of an event's text is kept on the node: all annotations of a Node together may have
   * 256 KiB.
   */
  private static final int LONGEST_MESSAGE = 512;

  public Quarantine {
    faults = List.copyOf(faults);
    if (faults.isEmpty()) {
      throw new IllegalArgumentException("a quarantine without a failure");
    }
  }

  static Quarantine begun(TrackedFault fault, Instant now) {
    return new Quarantine(fault.event().id(), now, List.of(shortened(fault)));
  }

  Quarantine with(TrackedFault fault) {
    if (faults.stream().anyMatch(tracked -> tracked.covers(fault))) {
      return this;
    }
    List<TrackedFault> more = new ArrayList<>(faults);
    more.add(shortened(fault));
    return new Quarantine(episode, since, more);
  }

  /** What is left of the failures; the same list if the event clears none. */
  List<TrackedFault> without(HealthEvent healthy, boolean onlyEarlier, Instant created) {
    List<TrackedFault> left = new ArrayList<>();
    for (TrackedFault fault : faults) {
      boolean later = fault.created().filter(time -> time.isAfter(created)).isPresent();
      left.addAll(onlyEarlier && later ? List.of(fault) : fault.without(healthy));
    }
    return left.equals(faults) ? faults : left;
  }

  boolean tracks(String eventId) {
    return faults.stream().anyMatch(fault -> fault.event().id().equals(eventId));
  }

  private static TrackedFault shortened(TrackedFault fault) {
    String message = fault.event().message();
    return message.length() <= LONGEST_MESSAGE
        ? fault
        : new TrackedFault(
            fault.event().toBuilder().message(message.substring(0, LONGEST_MESSAGE)).build(),
            fault.created(),
            fault.ruleSets());
  }
}
