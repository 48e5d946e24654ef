package dev.drydock.app.status;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.serve.feature.StatusEntry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The displayed status of one node.
 *
 * @param holds its holders
 * @param since when the state began, if known
 * @param eta how long its drain takes, or when its holds end
 * @param heldUntil when its holds end, if {@code eta} says that
 * @param deadline until when its drain does not use force
 * @param waitsFor what has to happen, or who has to act
 */
record NodeStatus(
    String node,
    String state,
    List<String> holds,
    List<StatusEntry.Task> maintenances,
    @Nullable Instant since,
    @Nullable String eta,
    @JsonIgnore @Nullable Instant heldUntil,
    @Nullable Instant deadline,
    List<String> waitsFor) {
  static final String IN_SERVICE = "in service";
  static final String DRAINING = "draining";

  private static final String NOT_READY = "NotReady";

  /** Nothing is to be said about it. */
  @JsonIgnore
  boolean isPlain() {
    return state.equals(IN_SERVICE)
        && holds.isEmpty()
        && maintenances.isEmpty()
        && waitsFor.isEmpty();
  }

  /** Simply in service. */
  static NodeStatus plain(String node) {
    return new NodeStatus(
        node, IN_SERVICE, List.of(), List.of(), null, null, null, null, List.of());
  }

  /** With the blockers found from its pods. */
  NodeStatus with(String newEta, List<String> blockers) {
    return new NodeStatus(
        node, state, holds, maintenances, since, newEta, null, deadline, List.copyOf(blockers));
  }

  /**
   * Puts it together.
   *
   * @param all what objects say about this node
   */
  static NodeStatus of(NodeSnapshot node, List<StatusEntry> all) {
    List<StatusEntry> entries = all.stream().sorted(StatusEntry.MOST_IMPORTANT_FIRST).toList();
    State found = state(node, entries);
    String state = found.state();
    if (node.notReady().isPresent()) {
      state = state.equals(IN_SERVICE) ? NOT_READY : NOT_READY + ", " + state;
    }
    Optional<String> drain =
        entries.stream().map(StatusEntry::eta).filter(eta -> !eta.isEmpty()).findFirst();
    Optional<Instant> heldUntil = drain.isPresent() ? Optional.empty() : heldUntil(node);
    return new NodeStatus(
        node.name(),
        state,
        List.copyOf(node.holds().byHolder().keySet()),
        entries.stream().flatMap(each -> each.task().stream()).toList(),
        found.since().orElse(null),
        drain.or(() -> heldUntil.map(end -> "until " + end)).orElse(null),
        heldUntil.orElse(null),
        entries.stream()
            .flatMap(each -> each.deadline().stream())
            .min(Instant::compareTo)
            .orElse(null),
        waits(node, entries));
  }

  private record State(String state, Optional<Instant> since) {}

  private static State state(NodeSnapshot node, List<StatusEntry> entries) {
    Optional<StatusEntry> first =
        entries.stream().filter(each -> each.state().isPresent()).findFirst();
    if (first.isPresent()) {
      return new State(first.get().state().orElseThrow(), Optional.of(first.get().since()));
    }
    if (node.draining().isPresent()) {
      return new State(DRAINING, node.draining());
    }
    if (!node.holds().unschedulable()) {
      return new State(IN_SERVICE, node.notReady().map(NodeSnapshot.NotReady::since));
    }
    if (node.drained().isPresent()) {
      return new State("drained", node.drained());
    }
    Optional<Instant> held =
        node.holds().byHolder().values().stream().map(Hold::since).min(Instant::compareTo);
    return new State(held.isPresent() ? "held" : "cordoned", held);
  }

  /** When the last of its holds ends, if all of them do. */
  private static Optional<Instant> heldUntil(NodeSnapshot node) {
    Collection<Hold> holds = node.holds().byHolder().values();
    return holds.stream().allMatch(hold -> hold.until().isPresent())
        ? holds.stream()
            .flatMap(hold -> hold.until().stream())
            .max(Instant::compareTo)
            .map(end -> end.truncatedTo(ChronoUnit.SECONDS))
        : Optional.empty();
  }

  private static List<String> waits(NodeSnapshot node, List<StatusEntry> entries) {
    Set<String> waits = new LinkedHashSet<>();
    node.unreadable().ifPresent(waits::add);
    node.notReady()
        .map(NodeSnapshot.NotReady::message)
        .filter(m -> !m.isEmpty())
        .ifPresent(waits::add);
    for (StatusEntry entry : entries) {
      entry.waits().stream().filter(wait -> !isSaidElsewhere(wait, entries)).forEach(waits::add);
    }
    if (waits.isEmpty() && entries.isEmpty() && node.draining().isEmpty()) {
      waits.addAll(holders(node));
    }
    return List.copyOf(waits);
  }

  /** A task's line about its drain is omitted if the drain has its own lines. */
  private static boolean isSaidElsewhere(String wait, List<StatusEntry> entries) {
    return entries.stream()
        .anyMatch(
            other ->
                wait.startsWith(other.kind() + " ")
                    && !other.waits().isEmpty()
                    && !other.waits().contains(wait));
  }

  private static List<String> holders(NodeSnapshot node) {
    List<String> holders = new ArrayList<>();
    for (Hold hold : node.holds().byHolder().values()) {
      String why = hold.reason().isEmpty() ? "" : " (" + hold.reason() + ")";
      holders.add(
          node.holds().unschedulable()
              ? hold.holder() + " to release it" + why
              : "the hold of %s%s is void: the node was uncordoned".formatted(hold.holder(), why));
    }
    if (holders.isEmpty() && node.holds().unschedulable()) {
      holders.add("someone to uncordon it (not cordoned by Drydock)");
    }
    return holders;
  }
}
