package dev.drydock.health.consume;

import dev.drydock.health.store.StoredEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Events that wait for the loop of their node, in order. Thread-safe. */
public final class PendingEvents {
  private final Map<String, Map<String, Pending>> byNode = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  /**
   * An event.
   *
   * @param again whether it may have been decided on before
   * @param done what to call when it is
   */
  public record Pending(StoredEvent stored, boolean again, Runnable done) {
    private Pending attempted() {
      return new Pending(stored, true, done);
    }

    /** One that is told twice is worked on once. */
    private Pending and(Pending other) {
      return new Pending(
          other.stored,
          true,
          () -> {
            done.run();
            other.done.run();
          });
    }
  }

  public void add(Pending pending) {
    var _ =
        byNode.compute(
            pending.stored().event().nodeName(),
            (_, present) -> {
              Map<String, Pending> queue = present == null ? new LinkedHashMap<>() : present;
              Pending before = queue.get(pending.stored().id());
              count.addAndGet(before == null ? 1 : 0);
              queue.put(pending.stored().id(), before == null ? pending : before.and(pending));
              return queue;
            });
  }

  /** The first ones of a node; they stay until they are done. */
  public List<Pending> first(String node, int most) {
    List<Pending> first = new ArrayList<>();
    var _ =
        byNode.computeIfPresent(
            node,
            (_, queue) -> {
              queue.values().stream().limit(most).forEach(first::add);
              return queue;
            });
    return first;
  }

  /** The first ones of a node may have been worked on, but not to the end. */
  public void attempted(String node, int number) {
    var _ =
        byNode.computeIfPresent(
            node,
            (_, queue) -> {
              queue.entrySet().stream()
                  .limit(number)
                  .forEach(entry -> entry.setValue(entry.getValue().attempted()));
              return queue;
            });
  }

  /** The first ones of a node are worked on. */
  public void done(String node, int number) {
    List<Pending> done = new ArrayList<>();
    var _ =
        byNode.computeIfPresent(
            node,
            (_, queue) -> {
              Iterator<Pending> all = queue.values().iterator();
              for (int i = 0; i < number; i++) {
                done.add(all.next());
                all.remove();
              }
              return queue.isEmpty() ? null : queue;
            });
    count.addAndGet(-number);
    done.forEach(pending -> pending.done().run());
  }

  /**
   * Drops those of a node that may be, except the first ones.
   *
   * @return what is dropped, in order
   */
  List<Pending> dropAfter(String node, int kept, Predicate<Pending> droppable) {
    List<Pending> dropped = new ArrayList<>();
    var _ =
        byNode.computeIfPresent(
            node,
            (_, queue) -> {
              queue.values().stream().skip(kept).filter(droppable).forEach(dropped::add);
              dropped.forEach(pending -> queue.remove(pending.stored().id()));
              return queue;
            });
    count.addAndGet(-dropped.size());
    return dropped;
  }

  public boolean has(String node) {
    return byNode.containsKey(node);
  }

  int count(String node) {
    int[] found = {0};
    var _ =
        byNode.computeIfPresent(
            node,
            (_, queue) -> {
              found[0] = queue.size();
              return queue;
            });
    return found[0];
  }

  /** When the event was stored that has waited longest. */
  public Optional<Instant> oldest() {
    List<Instant> first = new ArrayList<>();
    for (String node : byNode.keySet()) {
      first(node, 1).forEach(pending -> first.add(pending.stored().createdAt()));
    }
    return first.stream().min(Instant::compareTo);
  }

  public int count() {
    return count.get();
  }
}
