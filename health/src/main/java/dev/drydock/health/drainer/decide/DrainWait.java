package dev.drydock.health.drainer.decide;

import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.PodRef;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a drain waits for, in words that people look for. */
public record DrainWait(Kind kind, String message) {
  /** A closed set. */
  public enum Kind {
    COMPLETION,
    DELETION,
    BUDGET,
    DEVICES,
    CUSTOM,
    OTHER
  }

  /** Short waits that need no word. */
  private static final Set<BlockReason> PASSING =
      Set.of(
          BlockReason.NOT_OBSERVED,
          BlockReason.BUDGET_TURN,
          BlockReason.SERVER_THROTTLING,
          BlockReason.WAITING_TO_FINISH,
          BlockReason.WAITING_TO_DELETE);

  public static List<DrainWait> of(Decision decision, DrainRules rules, DrainGoal goal) {
    List<PodRef> finishing = pods(decision, BlockReason.WAITING_TO_FINISH);
    List<PodRef> deleting = pods(decision, BlockReason.WAITING_TO_DELETE);
    List<DrainWait> waits = new ArrayList<>();
    if (!deleting.isEmpty()) {
      waits.add(
          new DrainWait(
              Kind.DELETION,
              "Waiting for following pods to finish: %s in namespace: %s or they will be force deleted on: %s"
                  .formatted(
                      list(deleting.stream().map(PodRef::name).toList()),
                      list(deleting.stream().map(PodRef::namespace).distinct().toList()),
                      goal.since().plus(rules.deleteAfter()).truncatedTo(ChronoUnit.SECONDS))));
    }
    if (!finishing.isEmpty() && decision.progress().remaining() == finishing.size()) {
      waits.add(
          new DrainWait(
              Kind.COMPLETION,
              "Waiting for following pods to finish: "
                  + list(finishing.stream().map(PodRef::toString).toList())));
    }
    decision.blockers().stream()
        .filter(blocker -> !PASSING.contains(blocker.reason()))
        .map(blocker -> new DrainWait(kind(blocker.reason()), blocker.facts()))
        .forEach(waits::add);
    return waits;
  }

  /** All of them, a line each. */
  public static List<String> lines(Decision decision) {
    return decision.blockers().stream()
        .filter(blocker -> blocker.reason() != BlockReason.NOT_OBSERVED)
        .map(Blocker::facts)
        .toList();
  }

  /** Whether pods may run until a time. */
  public static boolean isForTimeout(Decision decision) {
    return !pods(decision, BlockReason.WAITING_TO_DELETE).isEmpty();
  }

  private static Kind kind(BlockReason reason) {
    return switch (reason) {
      case DISRUPTION_BUDGET, SEVERAL_BUDGETS -> Kind.BUDGET;
      case DEVICES_UNKNOWN -> Kind.DEVICES;
      default -> Kind.OTHER;
    };
  }

  private static List<PodRef> pods(Decision decision, BlockReason reason) {
    return decision.blockers().stream()
        .filter(blocker -> blocker.reason() == reason)
        .flatMap(blocker -> blocker.pods().stream())
        .sorted((one, other) -> one.toString().compareTo(other.toString()))
        .toList();
  }

  /** A list as Go prints it. */
  private static String list(List<String> names) {
    return "[" + String.join(" ", names) + "]";
  }
}
