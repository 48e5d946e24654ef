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

  /** About pods of the node; the first of them is named with the message. */
  void add(Instant at, Event event, String message, String node, Set<String> pods) {
    notes.add(new Note(at, event, message, Optional.of(node), pods));
  }

  /** In the order of time, counted from the given moment. */
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

  /** What is told of a node stays in the order in which it happened to the node. */
  private static boolean goesWith(Note note, Draft draft, Map<String, Draft> latestOfNode) {
    Draft before = note.node().map(latestOfNode::get).orElse(null);
    return note.node().isPresent()
        && !note.at().isAfter(draft.first.at().plus(TOGETHER))
        && (before == null || before.index <= draft.index);
  }

  /** When the last of it happened, if anything did. */
  Optional<Instant> last() {
    return notes.stream().map(Note::at).max(Comparator.naturalOrder());
  }
}
