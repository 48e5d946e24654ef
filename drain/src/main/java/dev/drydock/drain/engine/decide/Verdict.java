package dev.drydock.drain.engine.decide;

import dev.drydock.drain.hold.decide.NodeWork;

/**
 * The filters' verdict on one pod.
 *
 * @param by the filter that decided
 * @param message kubectl's warning or error; empty if there is none
 */
public record Verdict(Outcome outcome, Filter by, String message) {

  /** A refused pod stops the whole node; a skipped one does not matter to the drain. */
  public enum Outcome {
    GOES,
    STAYS,
    REFUSED
  }

  /** In the order in which they are applied. */
  public enum Filter {
    POD_SELECTOR,
    RESOURCE,
    RULE,
    NODE_WORK,
    SKIP_DELETED,
    ENDED,
    DAEMON_SET,
    MIRROR,
    LOCAL_STORAGE,
    UNMANAGED
  }

  static final String DAEMON_SET_IGNORED = "ignoring DaemonSet-managed Pods";
  static final String DAEMON_SET_LAST = "deleting DaemonSet-managed Pods";
  static final String DAEMON_SET_GONE = "deleting Pods whose DaemonSet is gone";
  static final String ENDED = "ignoring Pods that have ended and that only a finalizer keeps";
  static final String LOCAL_STORAGE_GOES = "deleting Pods with local storage";
  static final String UNMANAGED_GOES = "deleting Pods that declare no controller";

  static Verdict goes(Filter by, String warning) {
    return new Verdict(Outcome.GOES, by, warning);
  }

  static Verdict stays(Filter by, String warning) {
    return new Verdict(Outcome.STAYS, by, warning);
  }

  /** Nothing that a flag overrides: it leaves when its Job has ended. */
  static Verdict works(NodeWork work) {
    return new Verdict(Outcome.REFUSED, Filter.NODE_WORK, work + " works on the node");
  }

  static Verdict refused(Filter by, String what) {
    return new Verdict(Outcome.REFUSED, by, "cannot delete " + what);
  }

  public boolean goes() {
    return outcome == Outcome.GOES;
  }

  public boolean isRefused() {
    return outcome == Outcome.REFUSED;
  }

  public boolean hasWarning() {
    return !isRefused() && !message.isEmpty();
  }
}
