package dev.drydock.simulate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The timeline. The same event on many nodes at about the same time is one entry. */
final class Timeline {
  /** Events of the same kind within this time are combined. */
  private static final Duration TOGETHER = Duration.ofSeconds(30);

  /** The kinds of events: a fixed set, part of the interface. */
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
   * @param lastAt when it happened to the last of its nodes
   * @param nodes its nodes, in the order in which it happened
   */
  record Entry(Duration at, Duration lastAt, Event event, List<String> nodes, String message) {
    Entry {
      nodes = List.copyOf(nodes);
    }
  }

  private record Note(
      Instant at, Event event, String message, Optional<String> node, Set<String> pods) {}

  private record Kind(Event event, String message) {}

  private static final class Draft {
    private final Note first;
    private final int index;
    private final Set<String> nodes = new LinkedHashSet<>();
    private final Set<String> pods = new LinkedHashSet<>();
    private Instant lastAt;

    Draft(Note first, int index) {
      this.first = first;
      this.index = index;
      this.lastAt = first.at();
    }

    Entry since(Instant zero) {
      return new Entry(
          Duration.between(zero, first.at()),
          Duration.between(zero, lastAt),
          first.event(),
          List.copyOf(nodes),
          first.message() + ReportFormat.inBrackets(List.copyOf(pods)));
    }
  }

  private final List<Note> notes = new ArrayList<>();

  void add(Instant at, Event event, String message) {
    notes.add(new Note(at, event, message, Optional.empty(), Set.of()));
  }

  void add(Instant at, Event event, String message, String node) {
    add(at, event, message, node, Set.of());
  }

  /** About pods of the node; the message names the first of them. */
  void add(Instant at, Event event, String message, String node, Set<String> pods) {
    notes.add(new Note(at, event, message, Optional.of(node), pods));
  }

  /** Ordered by time, relative to the given start. */
  List<Entry> entries(Instant zero) {
    List<Draft> drafts = new ArrayList<>();
    Map<Kind, Draft> latest = new HashMap<>();
    Map<String, Draft> latestOfNode = new HashMap<>();
    for (Note note : notes.stream().sorted(Comparator.comparing(Note::at)).toList()) {
      Kind kind = new Kind(note.event(), note.message());
      Draft draft = latest.get(kind);
      if (draft == null || !goesWith(note, draft, latestOfNode)) {
        draft = new Draft(note, drafts.size());
        drafts.add(draft);
      }
      if (note.node().isPresent()) {
        latest.put(kind, draft);
        latestOfNode.put(note.node().get(), draft);
        draft.nodes.add(note.node().get());
        draft.pods.addAll(note.pods());
      }
      draft.lastAt = note.at();
    }
    return drafts.stream().map(draft -> draft.since(zero)).toList();
  }

  /** Entries about a node stay in the order in which they happened. */
  private static boolean goesWith(Note note, Draft draft, Map<String, Draft> latestOfNode) {
    Draft before = note.node().map(latestOfNode::get).orElse(null);
    return note.node().isPresent()
        && !note.at().isAfter(draft.first.at().plus(TOGETHER))
        && (before == null || before.index <= draft.index);
  }

  /** When the last event happened, if any. */
  Optional<Instant> last() {
    return notes.stream().map(Note::at).max(Comparator.naturalOrder());
  }
}
