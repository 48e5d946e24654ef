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
 * What controllers have to look at, now or at an instant, each thing once however often it was
 * noted. The order is that of the notes.
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

  /** In place of an instant that was said before. */
  public void at(Controller who, ObjectKey key, Instant when) {
    Item item = new Item(who, key);
    timers.set(item, when, () -> store.write(() -> items.add(item)));
  }

  /** Not at the instant that was said before. */
  public void notLater(Controller who, ObjectKey key) {
    timers.cancel(new Item(who, key));
  }

  /** How often something was looked at: what the controllers cost. */
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
      // as for real controllers: the server said no, and the next change brings the next attempt
      LOG.info(
          "{} {}: {}", item.who().getClass().getSimpleName(), item.key(), refused.getMessage());
    }
    return true;
  }
}
