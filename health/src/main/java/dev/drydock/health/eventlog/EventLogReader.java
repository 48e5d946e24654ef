package dev.drydock.health.eventlog;

import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.wire.EventLogProto;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One caller that reads the stored events, and perhaps what happens to them afterwards. Sends as
 * much as the caller takes, and goes on when there is more or when the caller has taken it.
 */
final class EventLogReader {
  static final int PAGE = 200;

  private final EventStore store;
  private final boolean watch;
  private final ServerCallStreamObserver<EventLogProto.LogEntry> caller;
  private final Runnable ended;
  private final ControlLoop loop;
  private final EventQuery wanted;
  private EventQuery next;
  private boolean listed;
  private boolean closed;
  private @Nullable ChangeFeed feed;

  EventLogReader(
      Kube kube,
      EventStore store,
      EventQuery wanted,
      boolean watch,
      ServerCallStreamObserver<EventLogProto.LogEntry> caller,
      Runnable ended) {
    this.store = store;
    this.wanted = wanted;
    this.next = wanted;
    this.watch = watch;
    this.caller = caller;
    this.ended = ended;
    loop = kube.loop("event-log", this::step);
  }

  void start() {
    caller.setOnCancelHandler(this::close);
    caller.setOnReadyHandler(loop::wake);
    loop.wake();
  }

  private synchronized Instant step() {
    if (closed) {
      return Instant.MAX;
    }
    try {
      send();
    } catch (StoreUnavailable failed) {
      caller.onError(Status.UNAVAILABLE.withDescription(failed.getMessage()).asException());
      close();
    }
    return Instant.MAX;
  }

  private void send() {
    if (watch && feed == null) {
      // before the list, so that nothing is missed in between
      feed = store.feed("drydock-events", this::isWanted, FeedStart.UNSAVED, loop::wake);
    }
    while (caller.isReady()) {
      List<StoredEvent> page = page();
      if (page.isEmpty() && !watch) {
        caller.onCompleted();
        close();
        return;
      }
      if (page.isEmpty()) {
        return; // the feed wakes
      }
      page.forEach(
          event ->
              caller.onNext(
                  EventLogProto.LogEntry.newBuilder()
                      .setJson(StoredEventJson.write(event).toString())
                      .build()));
    }
  }

  private List<StoredEvent> page() {
    if (!listed) {
      List<StoredEvent> page = store.query(next);
      listed = page.size() < PAGE;
      if (!page.isEmpty()) {
        next = next.after(page.getLast());
        return page;
      }
    }
    ChangeFeed changes = feed;
    if (changes == null) {
      return List.of();
    }
    List<Change> page = changes.next(PAGE);
    page.forEach(changes::finished);
    return page.stream().map(Change::event).toList();
  }

  private boolean isWanted(Change change) {
    StoredEvent event = change.event();
    return wanted.node().filter(name -> !name.equals(event.event().nodeName())).isEmpty()
        && wanted.since().filter(event.createdAt()::isBefore).isEmpty();
  }

  private synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    loop.close();
    ended.run();
    ChangeFeed open = feed;
    if (open != null) {
      open.close();
    }
  }
}
