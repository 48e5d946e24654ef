package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.drydock.kube.Conditions.Condition;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes conditions of Nodes. Each writer has its own types; those of others stay. */
public final class NodeConditions {
  private static final Logger LOG = LoggerFactory.getLogger(NodeConditions.class);

  private final KubeHttp http;
  private final Clock clock;

  public NodeConditions(Kube kube) {
    http = kube.http();
    clock = kube.clock();
  }

  /**
   * Returns the updated Node.
   *
   * @param present the current conditions of these types
   * @throws ApiFailure if it was refused, or there was no answer
   */
  public JsonNode write(ApiObject node, Conditions present, List<Condition> wanted) {
    return http.send(call(node, present, wanted)).orThrow("conditions of node " + node.name());
  }

  /** As {@link #write}, but best effort: a failure is logged, and the result is empty. */
  public Optional<JsonNode> tryWrite(ApiObject node, Conditions present, List<Condition> wanted) {
    KubeAnswer answer = http.send(call(node, present, wanted));
    if (!answer.ok()) {
      LOG.warn("conditions of node {} not written: {}", node.name(), answer.message());
      return Optional.empty();
    }
    return Optional.of(answer.body());
  }

  /**
   * Names the UID, so that a new node of the same name does not get the conditions of the old one.
   */
  private ApiCall call(ApiObject node, Conditions present, List<Condition> wanted) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    ArrayNode entries = Json.array();
    wanted.forEach(
        condition ->
            entries.add(present.entry(condition, now).put("lastHeartbeatTime", now.toString())));
    return Patch.sameUid(Resource.NODES, node)
        .status(status -> status.set("conditions", entries))
        .strategicCall();
  }
}
