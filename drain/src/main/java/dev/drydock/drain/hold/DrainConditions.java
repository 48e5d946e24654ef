package dev.drydock.drain.hold;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.engine.decide.DrainConditionReasons;
import dev.drydock.drain.hold.DrainNodeObject.Condition;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the Node's conditions {@code DrainInProgress} and {@code Drained}, only on change, and
 * never over another writer's True. Best effort: no decision depends on them.
 */
public final class DrainConditions {
  private static final Logger LOG = LoggerFactory.getLogger(DrainConditions.class);

  /** The state of a drain: a closed set of reasons, part of the API. */
  public enum Standing {
    DrydockDraining(true, false, "Drydock is draining the node"),
    DrydockDrained(false, true, "all pods that had to leave are gone"),
    DrydockDrainRefused(false, false, "the policy does not allow some pods to be evicted"),
    DrydockDrainFailed(false, false, "the drain failed"),
    DrydockDrainCancelled(false, false, "the drain was cancelled"),
    DrydockReleased(false, false, "the node is back in service");

    private final boolean inProgress;
    private final boolean drained;
    private final String message;

    Standing(boolean inProgress, boolean drained, String message) {
      this.inProgress = inProgress;
      this.drained = drained;
      this.message = message;
    }
  }

  private static final String IN_PROGRESS = "DrainInProgress";
  private static final String DRAINED = "Drained";

  private final KubeHttp http;
  private final Clock clock;

  public DrainConditions(KubeHttp http, Clock clock) {
    this.http = http;
    this.clock = clock;
  }

  /** Nothing is left to say about a node that never was drained. */
  public void released(DrainNodeObject node) {
    Condition drained = node.conditions().get(DRAINED);
    Condition inProgress = node.conditions().get(IN_PROGRESS);
    if ((drained != null && drained.isTrue()) || (inProgress != null && inProgress.isTrue())) {
      var _ = write(node, Standing.DrydockReleased, "");
    }
  }

  /**
   * The node as it is then, or as it was if nothing was written.
   *
   * @param whose on whose behalf, for people; may be empty
   */
  public DrainNodeObject write(DrainNodeObject node, Standing standing, String whose) {
    ArrayNode changes = Json.array();
    change(changes, node, IN_PROGRESS, standing, standing.inProgress);
    change(changes, node, DRAINED, standing, standing.drained);
    String message = whose.isEmpty() ? standing.message : standing.message + "; " + whose;
    changes.forEach(condition -> ((ObjectNode) condition).put("message", message));
    if (changes.isEmpty()) {
      return node;
    }
    ObjectNode patch = Json.object();
    // The UID keeps the words about this node from a new one of the same name.
    patch.putObject("metadata").put("uid", node.uid());
    patch.putObject("status").set("conditions", changes);
    KubeAnswer answer =
        http.send(
            ApiCall.strategicPatch(DrainApiPaths.node(node.name()) + "/status", patch.toString()));
    if (!answer.ok()) {
      LOG.warn("conditions of node {} not written: {}", node.name(), answer.message());
      return node;
    }
    return DrainNodeObject.read(answer.body());
  }

  private void change(
      ArrayNode changes, DrainNodeObject node, String type, Standing standing, boolean value) {
    String status = value ? "True" : "False";
    Instant now = Instant.now(clock).truncatedTo(ChronoUnit.SECONDS);
    Condition before = node.conditions().getOrDefault(type, new Condition("", "", Instant.EPOCH));
    boolean same = before.status().equals(status);
    boolean said = same && before.reason().equals(standing.name());
    if (said || (before.isTrue() && !DrainConditionReasons.isOurs(before.reason()))) {
      return;
    }
    ObjectNode condition = changes.addObject();
    condition.put("type", type).put("status", status);
    condition.put("reason", standing.name());
    condition.put("lastHeartbeatTime", now.toString());
    condition.put("lastTransitionTime", (same ? before.since() : now).toString());
  }
}
