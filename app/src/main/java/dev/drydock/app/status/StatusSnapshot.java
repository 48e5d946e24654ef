package dev.drydock.app.status;

import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import java.util.List;
import java.util.Optional;

/**
 * Everything read from the cluster.
 *
 * @param entries what the objects of features say
 * @param stopped why nothing new begins, if so
 * @param notes what could not be looked at, and why
 */
record StatusSnapshot(
    List<NodeSnapshot> nodes,
    List<StatusEntry> entries,
    Optional<String> stopped,
    List<String> notes) {

  /** What the objects of one kind say. */
  List<StatusEntry> entries(StatusPart part) {
    return entries.stream().filter(each -> each.kind().equals(part.kind())).toList();
  }
}
