package dev.drydock.drain.command;

import static dev.drydock.kube.Fields.list;
import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.drydock.contracts.NameLists;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.kube.ApiObject;
import dev.drydock.serve.feature.StatusEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The status entry of a DrainRequest, served by any drainer. */
public final class DrainRequestStatusEntry {
  private static final int PODS_SHOWN = 3;

  private DrainRequestStatusEntry() {}

  /** Null if it is over. */
  public static @Nullable StatusEntry read(JsonNode request) {
    ApiObject object = ApiObject.of(request);
    JsonNode condition =
        object
            .conditions()
            .get(DrainRequest.COMPLETE_CONDITION)
            .orElseGet(MissingNode::getInstance);
    String reason = text(condition, "reason");
    if (text(condition, "status").equals("True") || reason.equals("DrainCancelled")) {
      return null;
    }
    return new StatusEntry(
        text(object.spec(), "nodeName"),
        DrainRequest.KIND,
        StatusEntry.DRAIN,
        Optional.of(state(reason)),
        object.created(),
        Optional.empty(),
        text(object.status(), "eta"),
        Optional.empty(),
        waits(object.toString(), reason, text(condition, "message"), blockers(object.status())));
  }

  /** One line per blocker. */
  private static List<String> blockers(JsonNode status) {
    List<String> blockers = new ArrayList<>();
    for (JsonNode blocker : status.path("blockers")) {
      String next = text(blocker, "next");
      blockers.add(
          pods(list(blocker.path("pods")))
              + text(blocker, "message")
              + (next.isEmpty() ? "" : "; next: " + next));
    }
    return blockers;
  }

  private static String pods(List<String> pods) {
    return pods.isEmpty() ? "" : NameLists.some(pods, PODS_SHOWN) + ": ";
  }

  private static String state(String reason) {
    return switch (reason) {
      case "Refused" -> "drain refused";
      case "DrainFailed", "DrainTimeout" -> "drain failed";
      default -> "draining";
    };
  }

  private static List<String> waits(
      String id, String reason, String message, List<String> blockers) {
    if (!blockers.isEmpty()) {
      return blockers;
    }
    return switch (reason) {
      case "" -> List.of("DrainRequest " + id + " to be served; is 'drydock operator' running?");
      case "Draining" -> List.of();
      default -> message.isEmpty() ? List.of() : List.of(message);
    };
  }
}
