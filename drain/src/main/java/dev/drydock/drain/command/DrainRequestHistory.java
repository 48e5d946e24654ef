package dev.drydock.drain.command;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.NodeStory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The history entries of a DrainRequest. */
public final class DrainRequestHistory {
  private static final String WHO = "drain";

  private DrainRequestHistory() {}

  /** Empty if it is about another node. */
  public static Optional<NodeStory> of(String node, JsonNode request) {
    JsonNode spec = request.path("spec");
    if (!text(spec, "nodeName").equals(node)) {
      return Optional.empty();
    }
    JsonNode metadata = request.path("metadata");
    String name = text(metadata, "name");
    String reason = text(spec, "reason");
    List<HistoryStep> steps = new ArrayList<>();
    steps.add(
        HistoryStep.of(
            time(metadata, "creationTimestamp"),
            WHO,
            "DrainRequested",
            "DrainRequest "
                + text(metadata, "namespace")
                + "/"
                + name
                + (reason.isEmpty() ? "" : ": " + reason)));
    for (JsonNode condition : request.path("status").path("conditions")) {
      if (text(condition, "type").equals(DrainRequest.COMPLETE_CONDITION)) {
        steps.add(
            HistoryStep.of(
                time(condition, "lastTransitionTime"),
                WHO,
                text(condition, "reason"),
                text(condition, "message")));
      }
    }
    return Optional.of(new NodeStory(NodeStory.Scope.PART_OF_TASK, name, steps));
  }
}
