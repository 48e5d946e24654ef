package dev.drydock.drain.request.decide;

import dev.drydock.contracts.ShortText;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.Eta;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The contents of a DrainRequest's status.
 *
 * @param gone pods, including those counted by earlier processes
 * @param left absent while unknown
 * @param eta absent if there is nothing to wait for
 */
public record DrainRequestReport(
    Reason reason,
    String message,
    int gone,
    OptionalInt left,
    Optional<Eta> eta,
    List<DrainRequestStatus.Blocker> blockers) {

  /** The reasons of the conditions: a fixed set, part of the API. */
  public enum Reason {
    /** The pods that had to leave are gone. */
    DrainComplete(true, true),
    /** No pod had to leave. */
    NoPods(true, true),
    Draining(false, false),
    /** Nothing moves; the blockers say why. */
    Blocked(false, false),
    /** The policy refuses some pods, so none is touched. */
    Refused(false, false),
    /** The deadline passed, or it could not begin. */
    DrainFailed(false, true),
    /** A person uncordoned the node. */
    DrainCancelled(false, true),
    NodeNotFound(false, true),
    /** The request is invalid. */
    InvalidRequest(false, true),
    /** The request is being deleted, but its hold cannot be released. */
    ReleaseBlocked(false, false);

    private final boolean complete;
    private final boolean end;

    Reason(boolean complete, boolean end) {
      this.complete = complete;
      this.end = end;
    }

    /** The status of the condition. */
    public boolean isComplete() {
      return complete;
    }

    boolean isFailure() {
      return end && !complete;
    }

    /** Whether the condition keeps this reason until the spec changes. */
    public boolean isFinal() {
      return end;
    }

    static boolean isFinal(String name) {
      return named(name).filter(Reason::isFinal).isPresent();
    }

    /** The names of the final reasons of a drain that did not complete. */
    public static Set<String> failures() {
      return Arrays.stream(values())
          .filter(Reason::isFailure)
          .map(Reason::name)
          .collect(Collectors.toSet());
    }

    /** The reason of a condition; one set by another drainer is interpreted by its status alone. */
    public static Reason of(String status, String name) {
      return named(name).orElse(status.equals("True") ? DrainComplete : Draining);
    }

    private static Optional<Reason> named(String name) {
      return Arrays.stream(values()).filter(reason -> reason.name().equals(name)).findFirst();
    }
  }

  /** A condition that says it, with the reason and message of the report. */
  public record ReportedCondition(String type, boolean status) {}

  /** The length of a condition's message, in which pods and budgets may have any names. */
  private static final int LONGEST_MESSAGE = 1000;

  public DrainRequestReport {
    message = ShortText.of(message, LONGEST_MESSAGE);
    blockers = List.copyOf(blockers);
  }

  /**
   * All of them in every report: clients wait for either name of the end, and one that waits for
   * neither in vain looks for the failure.
   */
  public List<ReportedCondition> conditions() {
    return List.of(
        new ReportedCondition(DrainRequest.COMPLETE_CONDITION, reason.isComplete()),
        new ReportedCondition(DrainRequest.COMPLETE_ALIAS_CONDITION, reason.isComplete()),
        new ReportedCondition(DrainRequest.FAILED_CONDITION, reason.isFailure()));
  }

  /**
   * Before the first observation: only the counts of an earlier process are known, if there was
   * one.
   */
  public static DrainRequestReport begun(PodCount before) {
    return new DrainRequestReport(
        Reason.Draining,
        "reading the node",
        before.gone(),
        before.left(),
        Optional.empty(),
        List.of());
  }

  /** While it runs; earlier counts stay while the state is unknown. */
  public DrainRequestReport then(Decision decision, int goneBefore) {
    List<DrainRequestStatus.Blocker> blocked = ReportedBlockers.of(decision.blockers());
    if (decision.isBlind()) {
      return new DrainRequestReport(
          decision.status() == Decision.Status.DRAINING ? Reason.Draining : Reason.Blocked,
          "not everything on the node can be observed",
          gone,
          left,
          Optional.empty(),
          blocked);
    }
    if (decision.isNotHeld()) {
      // Without a number of pods left, by which the next process knows that the node was held.
      return new DrainRequestReport(
          Reason.Blocked, "the node is not held yet", gone, left, Optional.empty(), blocked);
    }
    Reason reason =
        switch (decision.status()) {
          case DONE, DRAINING -> Reason.Draining;
          case BLOCKED, FAILED -> Reason.Blocked;
          case REFUSED -> Reason.Refused;
        };
    Decision.Progress progress = decision.progress();
    int gone = goneBefore + progress.gone();
    return new DrainRequestReport(
        reason,
        "%d of %d pods gone".formatted(gone, gone + progress.remaining()),
        gone,
        OptionalInt.of(progress.remaining()),
        Optional.of(decision.eta()),
        blocked);
  }

  /**
   * When no pod that had to leave is left.
   *
   * @param continued another process had begun it, so more pods may have left than were counted
   */
  public static DrainRequestReport done(int gone, boolean continued) {
    boolean none = gone == 0 && !continued;
    return new DrainRequestReport(
        none ? Reason.NoPods : Reason.DrainComplete,
        none ? "no pod had to leave" : "all pods that had to leave are gone",
        gone,
        OptionalInt.of(0),
        Optional.empty(),
        List.of());
  }

  /** This report with another reason. */
  public DrainRequestReport ended(Reason newReason, String newMessage) {
    return new DrainRequestReport(newReason, newMessage, gone, left, Optional.empty(), blockers);
  }

  public static DrainRequestReport of(Reason reason, String message) {
    return new DrainRequestReport(
        reason, message, 0, OptionalInt.empty(), Optional.empty(), List.of());
  }
}
