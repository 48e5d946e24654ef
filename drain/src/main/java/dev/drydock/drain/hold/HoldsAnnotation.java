package dev.drydock.drain.hold;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.FirstLine;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The holds of a node as text: a JSON object by holder. */
public final class HoldsAnnotation {
  public static final String NAME = "drydock.dev/holds";

  private HoldsAnnotation() {}

  /**
   * Together with the cordon.
   *
   * @throws HoldsUnreadable for a text that none of us wrote
   */
  public static Holds read(String node, Optional<String> text, boolean unschedulable) {
    if (text.isEmpty()) {
      return Holds.of(List.of(), unschedulable);
    }
    try {
      JsonNode byHolder = Json.read(text.get());
      if (!byHolder.isObject()) {
        throw new HoldsUnreadable(node, "it is not a JSON object");
      }
      if (byHolder.size() > Holds.MOST) {
        throw new HoldsUnreadable(
            node, "%d holds, more than %d".formatted(byHolder.size(), Holds.MOST));
      }
      List<Hold> holds = new ArrayList<>();
      for (Map.Entry<String, JsonNode> entry : byHolder.properties()) {
        holds.add(hold(entry.getKey(), entry.getValue()));
      }
      return Holds.of(holds, unschedulable);
    } catch (IOException | DateTimeException | IllegalArgumentException malformed) {
      throw new HoldsUnreadable(node, FirstLine.of(malformed));
    }
  }

  private static Hold hold(String holder, JsonNode hold) {
    if (!hold.path("since").isTextual()) {
      throw new IllegalArgumentException("hold " + holder + " has no time since when");
    }
    Hold anybodys =
        Hold.of(holder, hold.path("reason").asText(""), Instant.parse(hold.path("since").asText()));
    Hold read =
        hold.path("owner").isTextual() ? anybodys.ownedBy(hold.path("owner").asText()) : anybodys;
    Hold working = hold.path("work").isObject() ? read.working(work(hold.path("work"))) : read;
    return hold.hasNonNull("until")
        ? working.until(Instant.parse(hold.path("until").asText()))
        : working;
  }

  private static Hold.Work work(JsonNode work) {
    return new Hold.Work(
        work.path("namespace").asText(""),
        work.path("job").asText(""),
        work.path("uid").asText(""));
  }

  /** Empty when there is nothing to write down. */
  public static Optional<String> write(Holds holds) {
    if (holds.byHolder().isEmpty()) {
      return Optional.empty();
    }
    ObjectNode byHolder = Json.object();
    for (Hold hold : holds.byHolder().values()) {
      ObjectNode entry = byHolder.putObject(hold.holder());
      entry.put("reason", hold.reason());
      entry.put("since", hold.since().toString());
      hold.until().ifPresent(end -> entry.put("until", end.toString()));
      hold.owner().ifPresent(uid -> entry.put("owner", uid));
      hold.work()
          .ifPresent(
              work ->
                  entry
                      .putObject("work")
                      .put("namespace", work.namespace())
                      .put("job", work.job())
                      .put("uid", work.uid()));
    }
    return Optional.of(byHolder.toString());
  }
}
