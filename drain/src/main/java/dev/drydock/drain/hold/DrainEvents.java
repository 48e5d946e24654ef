package dev.drydock.drain.hold;

import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Resource;

/** Records Events about nodes. Best effort: a lost Event is logged and has no other effect. */
public final class DrainEvents {
  /** What an Event of Drydock on a Node can be about: a closed set, part of the API. */
  public enum Reason {
    HoldPlaced(false, "Hold"),
    HoldChanged(false, "Hold"),
    HoldReleased(false, "Release"),
    HoldExpired(false, "Release"),
    HoldDropped(true, "Release"),
    HoldForced(true, "Release"),
    BudgetBypassed(true, "Drain"),
    PodForceDeleted(true, "Drain"),
    TaintedOutOfService(true, "Drain");

    private final boolean warning;
    private final String action;

    Reason(boolean warning, String action) {
      this.warning = warning;
      this.action = action;
    }
  }

  private final EventRecorder recorder;

  public DrainEvents(EventRecorder recorder) {
    this.recorder = recorder;
  }

  public void record(DrainNodeObject node, Holds.Notice notice) {
    String who = who(notice.hold());
    switch (notice.what()) {
      case PLACED -> record(node, Reason.HoldPlaced, placed(notice.hold()));
      case CHANGED -> record(node, Reason.HoldChanged, "now held by " + who);
      case RELEASED -> record(node, Reason.HoldReleased, "no longer held by " + who);
      case EXPIRED -> record(node, Reason.HoldExpired, "expired: " + who);
      case DROPPED ->
          record(node, Reason.HoldDropped, "hold of " + who + " dropped: the node was uncordoned");
      case FORCED ->
          record(
              node,
              Reason.HoldForced,
              "hold of " + who + " released: all holds were released by force");
    }
  }

  /** What the Event of a new hold says. */
  public static String placed(Hold hold) {
    return "held by " + who(hold);
  }

  private static String who(Hold hold) {
    return hold.holder() + (hold.reason().isEmpty() ? "" : " (" + hold.reason() + ")");
  }

  public void record(DrainNodeObject node, Reason reason, String note) {
    recorder.record(
        node.object().regarding(Resource.NODES),
        new EventRecorder.Occurrence(reason.warning, reason.name(), reason.action),
        note);
  }
}
