package dev.drydock.drain.hold;

import dev.drydock.kube.Watch.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The latest facts about one held node. */
public interface HeldNodeView extends AutoCloseable {
  /** The node as it was after it was held; from then on it is followed. */
  void held(DrainNodeObject node);

  State<DrainNodeObject> state();

  @Override
  void close();

  /** What we know from our own write may be newer than what a watch shows. */
  static List<DrainNodeObject> newest(
      List<DrainNodeObject> watched, Optional<DrainNodeObject> held) {
    return watched.stream()
        .map(
            seen ->
                held.filter(ours -> ours.uid().equals(seen.uid()) && ours.isNewerThan(seen))
                    .orElse(seen))
        .toList();
  }

  /** Of a watch of many nodes, what concerns this one. */
  static State<DrainNodeObject> only(
      String node, State<DrainNodeObject> state, List<DrainNodeObject> items) {
    String why = state.unreadable().get(node);
    return new State<>(
        items, state.unsynced(), state.forbidden(), why == null ? Map.of() : Map.of(node, why));
  }
}
