package dev.drydock.sim.call;

import dev.drydock.sim.select.FieldSelector;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.Store;
import java.util.Optional;

/**
 * Hands each change to the watches that it may concern, and wakes no others: thousands watch the
 * pods of one node each.
 */
final class WatchQueues {
  private final Store store;
  private final StreamIndex<WatchQueue> queues = new StreamIndex<>();
  private volatile long toldUpTo;

  WatchQueues(Store store) {
    this.store = store;
    store.listen(this::tell);
    store.listenForDrops(() -> queues.all().forEach(WatchQueue::wake));
  }

  Store store() {
    return store;
  }

  private void tell(ObjectChange change) {
    queues.concernedBy(change).forEach(queue -> queue.add(change));
    toldUpTo = change.version();
  }

  /** The version up to which all changes are in the queues. */
  long toldUpTo() {
    return toldUpTo;
  }

  /**
   * Collects the changes from now on.
   *
   * @param exact what all watched objects have in common, if anything
   */
  WatchQueue open(String resource, Optional<FieldSelector.Exact> exact) {
    WatchQueue queue =
        new WatchQueue(this, store.history(), closed -> queues.remove(resource, exact, closed));
    queues.add(resource, exact, queue);
    return queue;
  }
}
