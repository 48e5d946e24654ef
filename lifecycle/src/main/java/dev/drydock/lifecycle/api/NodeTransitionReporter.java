package dev.drydock.lifecycle.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Writes the Node's condition, Events and history of its transitions. */
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
    /** Somebody who has no driver on the node claimed it, and does not see it through. */
    LifecycleEventUnattended(true),
    /** A pod or budget holds the drain up. */
    LifecycleEventBlocked(true);

    private final boolean warning;

    Reason(boolean warning) {
      this.warning = warning;
    }
  }

  public NodeTransitionReporter(Kube kube) {
    http = kube.http();
    clock = kube.clock();
    recorder = kube.events();
  }

  /** Writes the state of a transition, unless the node has it already. */
  public LifecycleNodeObject publish(LifecycleNodeObject node, String reason, String transition) {
    Conditions.Condition condition =
        new Conditions.Condition(
            LifecycleNames.CONDITION,
            Conditions.TRUE,
            reason,
            "Lifecycle Transition '" + transition + "'");
    if (node.conditions().says(condition)) {
      return node;
    }
    Instant now = clock.instant();
    ObjectNode entry =
        node.conditions()
            .entry(condition, now)
            .put("lastHeartbeatTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
    ApiCall call =
        Patch.sameUid(Resource.NODES, node.object())
            .status(status -> status.putArray("conditions").add(entry))
            .strategicCall();
    return LifecycleNodeObject.read(http.send(call).orThrow("condition of node " + node.name()));
  }

  /** Whether the result of an event is recorded, as the Node is now; true also if it is gone. */
  public boolean isRecorded(String node, String uid) {
    KubeAnswer read = http.send(ApiCall.get(LifecyclePaths.node(node)));
    return read.code() == HttpURLConnection.HTTP_NOT_FOUND
        || TransitionHistory.read(LifecycleNodeObject.read(read.orThrow("node " + node)).history())
            .has(uid);
  }

  /**
   * Records the result of an event, which outlives it. A result that is recorded already is not
   * recorded again.
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
      KubeAnswer answer =
          http.send(
              Patch.ifUnchanged(Resource.NODES, seen.object())
                  .annotation(LifecycleNames.HISTORY, history.with(entry).write())
                  .call());
      if (answer.code() != HttpURLConnection.HTTP_CONFLICT) {
        var _ = answer.orThrow("history of node " + node);
        return true;
      }
    }
    throw new ApiFailure(
        HttpURLConnection.HTTP_CONFLICT, "node %s is changed all the time".formatted(node));
  }

  public void tell(String node, Optional<LifecycleNodeObject> seen, Reason reason, String note) {
    recorder.tell(
        new EventRecorder.Regarding(
            "v1", "Node", "", node, seen.map(LifecycleNodeObject::uid).orElse("")),
        new EventRecorder.Occurrence(reason.warning, reason.name(), "Lifecycle"),
        note);
  }
}
