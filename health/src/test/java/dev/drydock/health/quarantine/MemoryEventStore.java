package dev.drydock.health.quarantine;

import static java.util.Objects.requireNonNull;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A store that outlives the processes of a test, in their virtual time. */
public final class MemoryEventStore implements EventStore {
  private final Clock clock;
  private final Map<String, StoredEvent> events = new LinkedHashMap<>();
  private final List<Change> changes = new ArrayList<>();
  private final Map<String, Integer> positions = new HashMap<>();
  private final Map<String, Runnable> wakeUps = new LinkedHashMap<>();

  private int failingQueries;
  private int failingUpdates;

  /** Called when a consumer asks for changes; may throw. */
  public volatile Consumer<String> onFeed = _ -> {};

  /** Called before an update is stored. */
  public volatile Consumer<EventUpdate> onUpdate = _ -> {};

  public MemoryEventStore(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Appended append(List<HealthEvent> appended) {
    List<String> ids = new ArrayList<>();
    synchronized (this) {
      for (HealthEvent event : appended) {
        String id = event.id().isEmpty() ? "e%04d".formatted(events.size() + 1) : event.id();
        ids.add(id);
        StoredEvent stored =
            new StoredEvent(
                id, clock.instant(), event.toBuilder().id(id).build(), HealthEventStatus.NEW, "");
        events.put(id, stored);
        add(Change.Kind.INSERTED, id, StatusUpdate.NONE);
      }
    }
    wake();
    return new Appended(ids, 0);
  }

  private void add(Change.Kind kind, String id, StatusUpdate update) {
    changes.add(
        new Change(String.valueOf(changes.size()), kind, requireNonNull(events.get(id)), update));
  }

  private void wake() {
    List<Runnable> all;
    synchronized (this) {
      all = List.copyOf(wakeUps.values());
    }
    all.forEach(Runnable::run);
  }

  @Override
  public synchronized Optional<StoredEvent> get(String id) {
    return Optional.ofNullable(events.get(id));
  }

  synchronized void failUpdates(int number) {
    failingUpdates = number;
  }

  synchronized void failQueries(int number) {
    failingQueries = number;
  }

  @Override
  public synchronized List<StoredEvent> query(EventQuery query) {
    if (failingQueries > 0) {
      failingQueries--;
      throw new StoreUnavailable("fails for a test", new IOException());
    }
    List<StoredEvent> all = new ArrayList<>(events.values());
    if (query.newestFirst()) {
      Collections.reverse(all);
    }
    int from = query.after().map(after -> index(all, after.id()) + 1).orElse(0);
    Stream<StoredEvent> found =
        all.subList(from, all.size()).stream()
            .filter(event -> query.node().filter(node -> !node.equals(node(event))).isEmpty())
            .filter(
                event ->
                    query.nodeQuarantined().isEmpty()
                        || query.nodeQuarantined().contains(event.status().nodeQuarantined()))
            .filter(
                event ->
                    query.since().filter(since -> event.createdAt().isBefore(since)).isEmpty());
    return found.limit(query.limit()).toList();
  }

  private static int index(List<StoredEvent> all, String id) {
    return all.stream().map(StoredEvent::id).toList().indexOf(id);
  }

  private static String node(StoredEvent event) {
    return event.event().nodeName();
  }

  @Override
  public int update(List<EventUpdate> updates) {
    updates.forEach(onUpdate);
    int found = 0;
    synchronized (this) {
      if (failingUpdates > 0) {
        failingUpdates--;
        throw new StoreUnavailable("fails for a test", new IOException());
      }
      for (EventUpdate update : updates) {
        StoredEvent before = events.get(update.id());
        if (before != null) {
          found++;
          events.put(
              update.id(),
              new StoredEvent(
                  before.id(),
                  before.createdAt(),
                  before.event(),
                  update.update().applyTo(before.status()),
                  update.update().episodeAfter(before.episode())));
          add(Change.Kind.UPDATED, update.id(), update.update());
        }
      }
    }
    wake();
    return found;
  }

  @Override
  public synchronized ChangeFeed feed(
      String consumer, ChangeFilter filter, FeedStart start, Runnable wake) {
    wakeUps.put(consumer, wake);
    int from =
        positions.computeIfAbsent(consumer, _ -> start == FeedStart.NOW ? changes.size() : 0);
    return new Feed(consumer, filter, from);
  }

  /** The first position that is not finished is kept at once. */
  private final class Feed implements ChangeFeed {
    private final String consumer;
    private final ChangeFilter filter;
    private final TreeSet<Integer> open = new TreeSet<>();
    private int next;

    Feed(String consumer, ChangeFilter filter, int from) {
      this.consumer = consumer;
      this.filter = filter;
      next = from;
    }

    @Override
    public List<Change> next(int most) {
      onFeed.accept(consumer);
      synchronized (MemoryEventStore.this) {
        List<Change> found = new ArrayList<>();
        while (next < changes.size() && found.size() < most && open.size() < IN_FLIGHT) {
          Change change = changes.get(next);
          Change now =
              new Change(
                  change.token(),
                  change.kind(),
                  requireNonNull(events.get(change.event().id())),
                  change.update());
          if (filter.wants(now)) {
            open.add(next);
            found.add(now);
          }
          next++;
        }
        return found;
      }
    }

    @Override
    public void finished(Change change) {
      boolean wasFull;
      synchronized (MemoryEventStore.this) {
        wasFull = open.size() >= IN_FLIGHT;
        open.remove(Integer.parseInt(change.token()));
        positions.put(consumer, open.isEmpty() ? next : open.first());
      }
      if (wasFull) {
        requireNonNull(wakeUps.get(consumer)).run();
      }
    }

    @Override
    public Optional<String> relistReason() {
      return Optional.empty();
    }

    @Override
    public void save() {}

    @Override
    public void close() {}
  }

  @Override
  public synchronized void forget(String consumer) {
    positions.remove(consumer);
  }

  @Override
  public int expire(Instant before) {
    return 0;
  }

  @Override
  public synchronized long count() {
    return events.size();
  }

  @Override
  public void backup(Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<String> unready() {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
