package dev.drydock.lifecycle.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
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

  /** Where a transition stands; nothing is written if the node says so already. */
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
