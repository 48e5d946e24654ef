package dev.drydock.app.simulate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What happened when. The same thing on many nodes in one go is one entry. */
final class Timeline {
  /** Nodes to which the same happens within this time are told of together. */
  private static final Duration TOGETHER = Duration.ofSeconds(30);

  /** What happens: a closed set, part of the interface. */
  enum Event {
    STEP,
    CORDONED,
    DRAINED,
    REFUSED,
    GAVE_UP,
    CANCELLED,
    WAITS,
    GOES_ON,
    NOT_READY,
    GIVEN_UP,
    READY,
    BACK_IN_SERVICE,
    NO_ROOM,
    ROOM
  }

  /**
   * One entry.
   *
   * @param lastAt when it came to the last of its nodes
   * @param nodes those it is about, in the order in which it came to them
   */
  record Entry(Duration at, Duration lastAt, Event event, List<String> nodes, String message) {
    Entry {
      nodes = List.copyOf(nodes);
    }
  }

  private static final class Draft {
    private final Instant at;
    private final Event event;
    private final String message;
    private final List<String> nodes = new ArrayList<>();
    private Instant lastAt;

    Draft(Instant at, Event event, String message) {
      this.at = at;
      this.lastAt = at;
      this.event = event;
      this.message = message;
    }

    boolean isThat(Instant time, Event what, String words) {
      return event == what && message.equals(words) && !time.isAfter(at.plus(TOGETHER));
    }
  }

  private final List<Draft> drafts = new ArrayList<>();

  void add(Instant at, Event event, String message) {
    drafts.add(new Draft(at, event, message));
  }

  void add(Instant at, Event event, String message, String node) {
    for (Draft draft : drafts.reversed()) {
      if (draft.isThat(at, event, message) && !draft.nodes.isEmpty()) {
        draft.nodes.add(node);
        draft.lastAt = at;
        return;
      }
      if (draft.at.plus(TOGETHER).isBefore(at)) {
        break;
      }
    }
    Draft draft = new Draft(at, event, message);
    draft.nodes.add(node);
    drafts.add(draft);
  }

  /** In the order of time, counted from the given moment. */
  List<Entry> entries(Instant zero) {
    return drafts.stream()
        .sorted(Comparator.comparing((Draft draft) -> draft.at))
        .map(
            d ->
                new Entry(
                    Duration.between(zero, d.at),
                    Duration.between(zero, d.lastAt),
                    d.event,
                    d.nodes,
                    d.message))
        .toList();
  }
}
