package dev.drydock.sim.control;

import dev.drydock.kube.time.Timers;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.Store;
import java.time.Instant;
import java.util.LinkedHashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The items that controllers have to process, now or at an instant, each once no matter how often
 * it was added. They are processed in the order in which they were added.
 */
public final class WorkQueue {
  private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

  private record Item(Controller who, ObjectKey key) {}

  private final LinkedHashSet<Item> items = new LinkedHashSet<>();
  private final Store store;
  private final Timers timers;
  private long looks;

  public WorkQueue(Store store, Timers timers) {
    this.store = store;
    this.timers = timers;
    store.settleBy(this::lookAtNext);
  }

  public void soon(Controller who, ObjectKey key) {
    items.add(new Item(who, key));
  }

  /** Replaces an earlier instant. */
  public void at(Controller who, ObjectKey key, Instant when) {
    Item item = new Item(who, key);
    timers.set(item, when, () -> store.write(() -> items.add(item)));
  }

  /** Cancels an earlier instant. */
  public void notLater(Controller who, ObjectKey key) {
    timers.cancel(new Item(who, key));
  }

  /** How many items were processed: a measure of the controllers' cost. */
  public long looks() {
    return looks;
  }

  private boolean lookAtNext() {
    if (items.isEmpty()) {
      return false;
    }
    Item item = items.removeFirst();
    looks++;
    try {
      item.who().look(item.key());
    } catch (StatusException refused) {
      // like real controllers: the server refused, and the next change triggers the next attempt
      LOG.info(
          "{} {}: {}", item.who().getClass().getSimpleName(), item.key(), refused.getMessage());
    }
    return true;
  }
}
