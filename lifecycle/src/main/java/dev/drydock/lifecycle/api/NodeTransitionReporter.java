package dev.drydock.lifecycle.api;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.NodeConditions;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import java.util.List;
import java.util.Optional;

/** Writes the Node's condition, Events and history of its transitions. */
public final class NodeTransitionReporter {
  private final KubeHttp http;
  private final NodeConditions conditions;
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

    /** The reason of an Event about the end of an event. */
    public static Reason of(ClaimStatus outcome) {
      return switch (outcome) {
        case Succeeded -> LifecycleEventSucceeded;
        case Failed -> LifecycleEventFailed;
        case SlaExpired -> LifecycleEventSlaExpired;
        case Pending, Claimed -> throw new IllegalArgumentException(outcome + " is no end");
      };
    }
  }

  public NodeTransitionReporter(Kube kube) {
    http = kube.http();
    conditions = new NodeConditions(kube);
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
    return LifecycleNodeObject.read(
        conditions.write(node.object(), node.conditions(), List.of(condition)));
  }

  /** Whether the result of an event is recorded, as the Node is now; true also if it is gone. */
  public boolean isRecorded(String node, String uid) {
    return http.find(Resource.NODES, "", node)
        .map(LifecycleNodeObject::read)
        .map(seen -> TransitionHistory.read(seen.history()).has(uid))
        .orElse(true);
  }

  /**
   * Records the result of an event, which outlives it. A result that is recorded already is not
   * recorded again.
   *
   * @return whether it is news; false also if the node is gone, and its history with it
   */
  public boolean keep(String node, TransitionHistory.Entry entry) {
    return Patch.retrying("history of node " + node, () -> tryKeep(node, entry));
  }

  /** Empty if the node has to be read again. */
  private Optional<Boolean> tryKeep(String node, TransitionHistory.Entry entry) {
    Optional<LifecycleNodeObject> seen =
        http.find(Resource.NODES, "", node).map(LifecycleNodeObject::read);
    if (seen.isEmpty()) {
      return Optional.of(false);
    }
    TransitionHistory history = TransitionHistory.read(seen.get().history());
    if (history.has(entry.uid())) {
      return Optional.of(false);
    }
    return Patch.ifUnchanged(Resource.NODES, seen.get().object())
        .annotation(LifecycleNames.HISTORY, history.with(entry).write())
        .sendUnlessConflict(http)
        .map(_ -> true);
  }

  public void record(String node, Optional<LifecycleNodeObject> seen, Reason reason, String note) {
    recorder.record(
        new EventRecorder.Regarding(
            "v1", "Node", "", node, seen.map(LifecycleNodeObject::uid).orElse("")),
        new EventRecorder.Occurrence(reason.warning, reason.name(), "Lifecycle"),
        note);
  }
}
