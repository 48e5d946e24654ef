package dev.drydock.drain.command;

import dev.drydock.contracts.NameLists;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.PodRef;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Explains in one line why a node was not drained, and what to do next. */
final class DrainFailure {
  private static final int PODS_SHOWN = 3;

  private DrainFailure() {}

  /**
   * The line.
   *
   * @param stopping pods that were evicted or deleted and still exist
   */
  static String line(DrainOutcome outcome, Collection<PodRef> stopping) {
    return "node/" + outcome.node() + why(outcome, stopping);
  }

  private static String why(DrainOutcome outcome, Collection<PodRef> stopping) {
    return switch (outcome.end()) {
      case DONE -> " drained";
      case REFUSED ->
          outcome
              .last()
              .map(l -> " is cordoned, but nothing was evicted: " + refusals(l.blockers()))
              .orElse(" not drained: " + outcome.message());
      case FAILED ->
          outcome
              .last()
              .filter(last -> last.status() == Decision.Status.FAILED)
              .map(last -> late(last, stopping))
              .orElse(" not drained: " + outcome.message());
      case CANCELLED ->
          " not drained: " + outcome.message() + "; next: drain it again if it still has to be";
    };
  }

  /** kubectl's wording already says what to do; every pod is named as there. */
  static String refusals(List<Blocker> blockers) {
    return blockers.stream()
        .map(blocker -> blocker.what() + ": " + NameLists.some(blocker.pods(), Integer.MAX_VALUE))
        .collect(Collectors.joining("; "));
  }

  private static String late(Decision last, Collection<PodRef> stopping) {
    List<Blocker> blockers = reasons(last);
    int left = last.progress().remaining();
    String pods = " is cordoned, but " + (left == 1 ? "1 pod is" : left + " pods are") + " left";
    if (blockers.isEmpty()) {
      return pods
          + (stopping.isEmpty() ? "" : ", still stopping: " + NameLists.some(stopping, PODS_SHOWN))
          + "; next: drain again with more time";
    }
    Blocker worst = blockers.getFirst();
    String others =
        blockers.size() == 1
            ? ""
            : " (and "
                + (blockers.size() - 1)
                + (blockers.size() == 2 ? " other reason)" : " other reasons)");
    return pods
        + ": "
        + (worst.pods().isEmpty() ? "" : NameLists.some(worst.pods(), PODS_SHOWN) + ": ")
        + worst.what()
        + others
        + "; next: "
        + worst.next();
  }

  /** What blocked the node, the blocker with most pods first, without the deadline itself. */
  static List<Blocker> reasons(Decision last) {
    return last.blockers().stream()
        .filter(blocker -> blocker.reason() != BlockReason.DEADLINE_PASSED)
        .sorted(Comparator.comparingInt(blocker -> -blocker.pods().size()))
        .toList();
  }
}
