package dev.drydock.health.consume;

import dev.drydock.health.store.StoredEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Events that wait for the loop of their node, in order. Thread-safe. */
public final class PendingEvents {
  private final Map<String, Deque<Pending>> byNode = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  /**
   * An event.
   *
   * @param again whether it may have been decided on before
   * @param done what to call when it is
   */
  public record Pending(StoredEvent stored, boolean again, Runnable done) {}

  public void add(Pending pending) {
    count.incrementAndGet();
    var _ =
        byNode.compute(
            pending.stored().event().nodeName(),
            (_, present) -> {
              Deque<Pending> queue = present == null ? new ArrayDeque<>() : present;
              queue.addLast(pending);
              return queue;
            });
  }

  /** The first ones of a node; they stay until they are removed. */
  public List<Pending> first(String node, int most) {
    List<Pending> first = new ArrayList<>();
    var _ =
        byNode.computeIfPresent(
            node,
            (_, queue) -> {
              Iterator<Pending> all = queue.iterator();
              while (all.hasNext() && first.size() < most) {
                first.add(all.next());
              }
              return queue;
            });
    return first;
  }

  public void remove(String node, int number) {
    count.addAndGet(-number);
    var _ =
        byNode.computeIfPresent(
            node,
            (_, queue) -> {
              for (int i = 0; i < number; i++) {
                queue.removeFirst();
              }
              return queue.isEmpty() ? null : queue;
            });
  }

  public boolean has(String node) {
    return byNode.containsKey(node);
  }

  public int count() {
    return count.get();
  }
}
