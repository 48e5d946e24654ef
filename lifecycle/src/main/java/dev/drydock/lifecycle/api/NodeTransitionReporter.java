package dev.drydock.lifecycle.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Tells by a Node what becomes of its transitions: by its condition, Events and its history. */
public final class NodeTransitionReporter {
  private static final int TRIES = 10;

  private final KubeHttp http;
  private final Clock clock;
  private final EventRecorder recorder;

  /** What an Event on a Node can be about: a closed set, part of the API. */
  public enum Reason {
    LifecycleEventClaimed(false),
    LifecycleEventSucceeded(false),
    LifecycleEventFailed(true),
    LifecycleEventSlaExpired(true),
    LifecycleEventRejected(true),
    /** A pod or budget holds the drain up. */
    LifecycleEventBlocked(true);

    private final boolean warning;

    Reason(boolean warning) {
      this.warning = warning;
    }
  }

  public NodeTransitionReporter(KubeHttp http, Clock clock) {
    this.http = http;
    this.clock = clock;
    recorder = new EventRecorder(http, clock);
  }

  /** Where a transition stands; nothing is written if the node says so already. */
  public LifecycleNodeObject publish(LifecycleNodeObject node, String reason, String transition) {
    String message = "Lifecycle Transition '" + transition + "'";
    if (node.reason().equals(reason) && node.message().equals(message)) {
      return node;
    }
    String now = Instant.now(clock).truncatedTo(ChronoUnit.SECONDS).toString();
    ObjectNode patch = Json.object();
    // The UID keeps the words about this node from a new one of the same name.
    patch.putObject("metadata").put("uid", node.uid());
    patch
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", LifecycleNames.CONDITION)
        .put("status", "True")
        .put("reason", reason)
        .put("message", message)
        .put("lastHeartbeatTime", now)
        .put("lastTransitionTime", now);
    String path = LifecyclePaths.node(node.name()) + "/status";
    return LifecycleNodeObject.read(
        http.send(ApiCall.strategicPatch(path, patch.toString()))
            .orThrow("condition of node " + node.name()));
  }

  /**
   * Keeps how an event ended, beyond its end. What is kept already is not told again.
   *
   * @return whether it is news; false also if the node is gone, and its history with it
   */
  public boolean keep(String node, TransitionHistory.Entry entry) {
    for (int i = 0; i < TRIES; i++) {
      KubeAnswer read = http.send(ApiCall.get(LifecyclePaths.node(node)));
      if (read.code() == HttpURLConnection.HTTP_NOT_FOUND) {
        return false;
      }
      LifecycleNodeObject seen = LifecycleNodeObject.read(read.orThrow("node " + node));
      TransitionHistory history = TransitionHistory.read(seen.history());
      if (history.has(entry.uid())) {
        return false;
      }
      ObjectNode patch = Json.object();
      ObjectNode metadata = patch.putObject("metadata");
      metadata.put("resourceVersion", seen.version());
      metadata.putObject("annotations").put(LifecycleNames.HISTORY, history.with(entry).write());
      KubeAnswer answer =
          http.send(ApiCall.mergePatch(LifecyclePaths.node(node), patch.toString()));
      if (answer.code() != HttpURLConnection.HTTP_CONFLICT) {
        var _ = answer.orThrow("history of node " + node);
        return true;
      }
    }
    return true; // told at least once rather than never
  }

  public void tell(String node, Optional<LifecycleNodeObject> seen, Reason reason, String note) {
    recorder.tell(
        new EventRecorder.Regarding(
            "v1", "Node", "", node, seen.map(LifecycleNodeObject::uid).orElse("")),
        new EventRecorder.Occurrence(reason.warning, reason.name(), "Lifecycle"),
        note);
  }
}
