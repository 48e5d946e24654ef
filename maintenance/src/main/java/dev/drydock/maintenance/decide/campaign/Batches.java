package dev.drydock.maintenance.decide.campaign;

import dev.drydock.drain.engine.decide.NaturalOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Canary nodes first, then growing batches. A batch opens when every node that left before it is
 * back or failed. The current batch follows from how many nodes have left so far, so no other state
 * is needed.
 *
 * @param growth absent: after the canary, nodes leave as budgets allow
 */
public record Batches(Optional<Canary> canary, Optional<Growth> growth) {
  public static final Batches NONE = new Batches(Optional.empty(), Optional.empty());

  /**
   * The nodes that go first.
   *
   * @param amount nodes, or percent of all nodes rounded up
   */
  public record Canary(int amount, boolean percent, Duration soak) {
    int size(int total) {
      return percent ? Math.max(1, (int) (((long) total * amount + 99) / 100)) : amount;
    }
  }

  /** Batch number k, from 0, has start * factor^k nodes, rounded down, but at most this many. */
  public record Growth(int start, double factor, int most) {
    int size(int batch) {
      return (int) Math.min(most, Math.floor(start * Math.pow(factor, batch)));
    }
  }

  /**
   * How many nodes may leave now.
   *
   * @param why the reason, if none may leave
   */
  record Room(int nodes, Optional<DepartureWait> why) {
    static final Room UNLIMITED = new Room(Integer.MAX_VALUE, Optional.empty());

    static Room none(DepartureWait wait) {
      return new Room(0, Optional.of(wait));
    }
  }

  /** Computes the open batch from the campaign's progress. */
  Room room(Collection<NodeProgress> left, int total, Instant now) {
    if (canary.isPresent()) {
      int size = canary.get().size(total);
      if (left.size() < size) {
        return new Room(size - left.size(), Optional.empty());
      }
      if (left.size() == size) {
        Optional<DepartureWait> wait = canaryWait(canary.get(), left, now);
        if (wait.isPresent()) {
          return Room.none(wait.get());
        }
      }
    }
    return growth.map(rule -> growing(rule, left, total)).orElse(Room.UNLIMITED);
  }

  private Room growing(Growth rule, Collection<NodeProgress> left, int total) {
    int begins = canary.map(rules -> rules.size(total)).orElse(0);
    int batch = 0;
    while (left.size() >= begins + rule.size(batch)) {
      begins += rule.size(batch);
      batch++;
    }
    long out = left.stream().filter(progress -> !progress.isOver()).count();
    if (left.size() == begins && out > 0) {
      String message =
          "batch %d of %d nodes begins when the %d nodes that are out are back"
              .formatted(batch + 1, rule.size(batch), out);
      return Room.none(DepartureWait.of(WaitReason.BATCH_RUNNING, message));
    }
    return new Room(begins + rule.size(batch) - left.size(), Optional.empty());
  }

  private static Optional<DepartureWait> canaryWait(
      Canary canary, Collection<NodeProgress> left, Instant now) {
    long out = left.stream().filter(progress -> !progress.isOver()).count();
    if (out > 0) {
      String message = "all others wait for the %d canary nodes that are out".formatted(out);
      return Optional.of(DepartureWait.of(WaitReason.CANARY_RUNNING, message));
    }
    Instant soaked =
        left.stream()
            .flatMap(progress -> progress.endedAt().stream())
            .max(Comparator.naturalOrder())
            .map(last -> last.plus(canary.soak()))
            .orElse(now);
    if (!now.isBefore(soaked)) {
      return Optional.empty();
    }
    String message = "the canary nodes are back and are watched until " + soaked;
    return Optional.of(new DepartureWait(WaitReason.CANARY_SOAK, message, Optional.of(soaked)));
  }

  /** The canary nodes: those that left first. */
  Set<String> canaries(Map<String, NodeProgress> progress, int total) {
    return progress.entrySet().stream()
        .sorted(
            Comparator.comparing(
                    (Map.Entry<String, NodeProgress> node) -> node.getValue().startedAt())
                .thenComparing(Map.Entry::getKey, NaturalOrder.INSTANCE))
        .limit(canary.map(rule -> rule.size(total)).orElse(0))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
