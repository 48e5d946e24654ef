package dev.drydock.drain.command;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.kube.ApiObject;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The history entries of a DrainRequest. */
public final class DrainRequestHistory {
  private static final String WHO = "drain";

  private DrainRequestHistory() {}

  /** Empty if it is about another node. */
  public static Optional<HistoryPart> of(String node, JsonNode request) {
    ApiObject object = ApiObject.of(request);
    if (!text(object.spec(), "nodeName").equals(node)) {
      return Optional.empty();
    }
    String reason = text(object.spec(), "reason");
    List<HistoryStep> steps = new ArrayList<>();
    steps.add(
        HistoryStep.of(
            object.created(),
            WHO,
            "DrainRequested",
            "DrainRequest " + object + (reason.isEmpty() ? "" : ": " + reason)));
    object
        .conditions()
        .get(DrainRequest.COMPLETE_CONDITION)
        .ifPresent(
            condition ->
                steps.add(
                    HistoryStep.of(
                        time(condition, "lastTransitionTime"),
                        WHO,
                        text(condition, "reason"),
                        text(condition, "message"))));
    return Optional.of(new HistoryPart(HistoryPart.Scope.PART_OF_TASK, object.name(), steps));
  }
}
