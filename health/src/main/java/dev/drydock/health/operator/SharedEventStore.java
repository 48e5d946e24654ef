package dev.drydock.health.operator;

import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreMisconfigured;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The event store of an operator that leads, shared by its parts: opened by the first that needs
 * it, closed with the last. Thread-safe.
 */
public final class SharedEventStore implements AutoCloseable {
  private final Supplier<EventStore> opener;
  private @Nullable EventStore store;
  private int users;

  SharedEventStore(Supplier<EventStore> opener) {
    this.opener = opener;
  }

  /**
   * The one of this term.
   *
   * @param environment the original's variables
   */
  public static SharedEventStore of(
      OperatorContext context, Map<String, String> environment, LeaderTerm term) {
    return term.shared(
        SharedEventStore.class,
        () ->
            new SharedEventStore(
                () -> EventStores.open(context.settings(), environment, context.kube().time())));
  }

  /** The share of one part, to be closed with it. */
  public Use use() {
    return new Use();
  }

  /** The share of one part. */
  public final class Use implements Supplier<EventStore>, AutoCloseable {
    private @Nullable EventStore open;
    private boolean closed;

    /**
     * The store, open.
     *
     * @throws StoreMisconfigured if something must be set first
     * @throws StoreUnavailable if it does not work at present
     */
    @Override
    public EventStore get() {
      synchronized (SharedEventStore.this) {
        EventStore mine = open;
        if (mine == null && closed) {
          throw new IllegalStateException("this process does not lead any more");
        }
        if (mine == null) {
          mine = acquire();
          open = mine;
        }
        return mine;
      }
    }

    @Override
    public void close() {
      synchronized (SharedEventStore.this) {
        closed = true;
        if (open != null) {
          open = null;
          release();
        }
      }
    }
  }

  private EventStore acquire() {
    EventStore shared = store;
    if (shared == null) {
      shared = opener.get();
      store = shared;
    }
    users++;
    return shared;
  }

  private void release() {
    users--;
    EventStore shared = store;
    if (users == 0 && shared != null) {
      store = null;
      shared.close();
    }
  }

  /** Nothing: parts save their positions when they are closed, which is after this. */
  @Override
  public void close() {}
}
