package dev.drydock.drain.hold;

import dev.drydock.contracts.NameLists;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Resource;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

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

  private static final int FEW = 8;

  private final EventRecorder recorder;

  public DrainEvents(EventRecorder recorder) {
    this.recorder = recorder;
  }

  /** An Event for each change; many of a kind are one. */
  void record(DrainNodeObject node, List<Holds.Notice> notices) {
    if (notices.size() <= FEW) {
      notices.forEach(notice -> record(node, notice.what(), who(notice.hold())));
      return;
    }
    notices.stream()
        .collect(
            Collectors.groupingBy(
                Holds.Notice::what,
                TreeMap::new,
                Collectors.mapping(notice -> notice.hold().holder(), Collectors.toList())))
        .forEach((what, holders) -> record(node, what, NameLists.some(holders)));
  }

  private void record(DrainNodeObject node, Holds.Notice.What what, String who) {
    switch (what) {
      case PLACED -> record(node, Reason.HoldPlaced, placed(who));
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
    return placed(who(hold));
  }

  private static String placed(String who) {
    return "held by " + who;
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
