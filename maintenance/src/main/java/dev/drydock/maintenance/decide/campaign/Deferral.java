package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.NameLists;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keeps a node in service whose work would take long to end: if cordoned, it would be half idle all
 * that time; otherwise it can be taken when that work has ended, and its next work is likely to be
 * shorter. The threshold grows by a quarter of the time that the node has waited; since no node
 * counts as taking more than {@link NodeOrder#LONGEST}, each is taken within four days.
 *
 * @param base the threshold for a node that has just joined
 */
record Deferral(Duration base) {
  static final Duration DEFAULT = Duration.ofMinutes(30);

  private static final int PART = 4;

  /** The shortest time between two checks if nothing else happens. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  /**
   * The nodes that are not deferred.
   *
   * @param why why others are
   */
  record Sorted(List<Candidate> ready, Optional<DepartureWait> why) {}

  /** Keeps the order. */
  Sorted sort(List<Candidate> candidates, Instant now) {
    List<Candidate> ready = new ArrayList<>();
    List<String> busy = new ArrayList<>();
    Duration soonest = NodeOrder.LONGEST;
    for (Candidate candidate : candidates) {
      Duration missing = missing(candidate, now);
      if (missing.isPositive()) {
        busy.add(candidate.node().name() + ": " + GoDuration.words(candidate.leavesIn()));
        soonest = missing.compareTo(soonest) < 0 ? missing : soonest;
      } else {
        ready.add(candidate);
      }
    }
    if (busy.isEmpty()) {
      return new Sorted(ready, Optional.empty());
    }
    // the remaining time falls while the threshold grows
    Duration wait = soonest.multipliedBy(PART).dividedBy(PART + 1);
    Instant again = now.plus(wait.compareTo(PAUSE) < 0 ? PAUSE : wait);
    String message =
        "busy nodes stay in service until their work has ended or they have waited longer"
            + " (spec.patience): "
            + NameLists.some(busy);
    return new Sorted(
        ready, Optional.of(new DepartureWait(WaitReason.NODE_BUSY, message, Optional.of(again))));
  }

  private Duration missing(Candidate candidate, Instant now) {
    Duration waited = Duration.between(candidate.waitingSince(), now);
    return NodeOrder.capped(candidate.leavesIn()).minus(base).minus(waited.dividedBy(PART));
  }
}
