package dev.drydock.edge.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.decide.NodeDrainStatus;
import dev.drydock.edge.record.DrainHistory;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.EdgeRecords;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.kube.Json;
import java.util.List;
import java.util.Map;

/** Publishes how a drain goes: for EVE's programs, for each requester, and for people. */
final class StatusFiles {
  private final EdgePaths paths;
  private final PublishedFiles published;

  StatusFiles(EdgeContext context) {
    paths = context.paths();
    published = context.published();
  }

  void publish(
      EdgeDrain drain, Map<DrainRequester, NodeDrainRequest> requests, List<String> waits) {
    for (DrainRequester by : List.of(DrainRequester.DEVICEOP, DrainRequester.UPDATE)) {
      if (requests.containsKey(by) || drain.released().contains(by)) {
        published.publish(
            paths.statusFor(by), EdgeRecords.write(new NodeDrainStatus(drain.stateFor(by), by)));
      } else {
        published.remove(paths.statusFor(by));
      }
    }
    published.publish(paths.status(), EdgeRecords.write(drain.published(requests)));
    ObjectNode progress = Json.object();
    progress.put("status", drain.state().toString());
    progress.put("since", drain.since().toString());
    drain.requestedAt().ifPresent(time -> progress.put("requestedAt", time.toString()));
    ArrayNode lines = progress.putArray("waits");
    waits.forEach(lines::add);
    published.publish(paths.progress(), progress.toString());
  }

  /** Remembers the drain for as long as the machine lives. */
  void ended(EdgeDrain before, EdgeDrain after) {
    boolean over = after.phase() == EdgeDrain.Phase.ENDED;
    if (over && before.phase() != EdgeDrain.Phase.ENDED) {
      DrainHistory history = DrainHistory.read(published.read(paths.history()).orElse(""));
      published.publish(paths.history(), history.with(after).write());
    }
  }
}
