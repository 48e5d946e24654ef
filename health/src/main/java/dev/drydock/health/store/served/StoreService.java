package dev.drydock.health.store.served;

import com.google.protobuf.Empty;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.FeedSource;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.health.wire.EventStoreGrpc;
import dev.drydock.health.wire.EventStoreProto;
import dev.drydock.health.wire.HealthEventProto;
import dev.drydock.kube.Bugs;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets other processes use an embedded store. Who they are is checked before. Databases are not
 * served: each process can open them by itself.
 */
public final class StoreService extends EventStoreGrpc.EventStoreImplBase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreService.class);

  /** A page and one event that is larger than a page. */
  static final int LARGEST_MESSAGE = 16 << 20;

  private static final int MOST_EVENTS = 500;
  private static final int MOST_BYTES = 1 << 20;

  /** How many may wait for changes at a time. */
  private static final int WATCHERS = 64;

  private final EmbeddedStore store;
  private final Set<Watcher> watchers = new HashSet<>();
  private boolean closed;

  public StoreService(EmbeddedStore store) {
    this.store = store;
  }

  private static <T> void answer(StreamObserver<T> to, Supplier<T> call) {
    Optional<StatusException> failure =
        Bugs.call(
            () -> {
              try {
                to.onNext(call.get());
                return Optional.empty();
              } catch (StoreUnavailable failed) {
                return Optional.of(
                    Status.UNAVAILABLE.withDescription(failed.getMessage()).asException());
              } catch (IllegalArgumentException wrong) {
                return Optional.of(
                    Status.INVALID_ARGUMENT.withDescription(wrong.getMessage()).asException());
              }
            },
            bug -> {
              LOG.error("a call of the event store could not be answered", bug);
              return Optional.of(
                  Status.INTERNAL
                      .withDescription("a bug in the operator; see its log")
                      .asException());
            });
    failure.ifPresentOrElse(to::onError, to::onCompleted);
  }

  @Override
  public void append(
      HealthEventProto.HealthEvents request, StreamObserver<EventStoreProto.AppendAnswer> to) {
    answer(
        to,
        () -> {
          Appended appended = store.append(EventMessages.events(request));
          return EventStoreProto.AppendAnswer.newBuilder()
              .addAllIds(appended.ids())
              .setDuplicates(appended.duplicates())
              .build();
        });
  }

  @Override
  public void get(
      EventStoreProto.GetRequest request, StreamObserver<EventStoreProto.EventPage> to) {
    answer(to, () -> page(store.get(request.getId()).stream().toList(), false));
  }

  @Override
  public void query(
      EventStoreProto.QueryRequest request, StreamObserver<EventStoreProto.EventPage> to) {
    answer(
        to,
        () -> {
          EventQuery query = StoreMessages.query(request, MOST_EVENTS);
          List<StoredEvent> found = store.query(query);
          return page(found, found.size() == query.limit());
        });
  }

  private static EventStoreProto.EventPage page(List<StoredEvent> events, boolean more) {
    EventStoreProto.EventPage.Builder page = EventStoreProto.EventPage.newBuilder().setMore(more);
    int bytes = 0;
    for (StoredEvent event : events) {
      EventStoreProto.StoredEvent message = StoreMessages.message(event);
      bytes += message.getSerializedSize();
      if (bytes > MOST_BYTES && page.getEventsCount() > 0) {
        return page.setMore(true).build();
      }
      page.addEvents(message);
    }
    return page.build();
  }

  @Override
  public void update(
      EventStoreProto.UpdateRequest request, StreamObserver<EventStoreProto.UpdateAnswer> to) {
    answer(
        to,
        () ->
            EventStoreProto.UpdateAnswer.newBuilder()
                .setFound(
                    store.update(
                        request.getUpdatesList().stream().map(StoreMessages::update).toList()))
                .build());
  }

  @Override
  public void count(Empty request, StreamObserver<EventStoreProto.CountAnswer> to) {
    answer(to, () -> EventStoreProto.CountAnswer.newBuilder().setEvents(store.count()).build());
  }

  @Override
  public void now(Empty request, StreamObserver<EventStoreProto.PositionAnswer> to) {
    answer(to, () -> position(Optional.of(store.history("").now())));
  }

  private static EventStoreProto.PositionAnswer position(Optional<String> token) {
    EventStoreProto.PositionAnswer.Builder answer = EventStoreProto.PositionAnswer.newBuilder();
    token.ifPresent(answer::setToken);
    return answer.build();
  }

  @Override
  public void readChanges(
      EventStoreProto.ChangesRequest request, StreamObserver<EventStoreProto.ChangePage> to) {
    answer(to, () -> changes(request));
  }

  private EventStoreProto.ChangePage changes(EventStoreProto.ChangesRequest request) {
    EventStoreProto.ChangePage.Builder page = EventStoreProto.ChangePage.newBuilder();
    try {
      int bytes = 0;
      for (Change change :
          store
              .history("")
              .read(request.getAfter(), Math.clamp(request.getMost(), 1, MOST_EVENTS))) {
        EventStoreProto.Change message = StoreMessages.message(change);
        bytes += message.getSerializedSize();
        if (bytes > MOST_BYTES && page.getChangesCount() > 0) {
          return page.build();
        }
        page.addChanges(message);
      }
    } catch (FeedSource.HistoryLost lost) {
      page.setHistoryLost(String.valueOf(lost.getMessage()));
    }
    return page.build();
  }

  @Override
  public void loadPosition(
      EventStoreProto.Consumer request, StreamObserver<EventStoreProto.PositionAnswer> to) {
    answer(to, () -> position(store.history(request.getName()).load()));
  }

  @Override
  public void savePosition(EventStoreProto.SavePositionRequest request, StreamObserver<Empty> to) {
    answer(
        to,
        () -> {
          store.history(request.getConsumer()).save(request.getToken());
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void forgetPosition(EventStoreProto.Consumer request, StreamObserver<Empty> to) {
    answer(
        to,
        () -> {
          store.forget(request.getName());
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void watch(Empty request, StreamObserver<Empty> to) {
    // what a method that streams its answer is called with
    Watcher watcher = new Watcher((ServerCallStreamObserver<Empty>) to);
    synchronized (watchers) {
      if (closed || watchers.size() >= WATCHERS) {
        to.onError(
            Status.UNAVAILABLE
                .withDescription(
                    closed
                        ? "the operator ends"
                        : "%d others watch the event store now".formatted(WATCHERS))
                .asException());
        return;
      }
      watchers.add(watcher);
    }
    watcher.start();
  }

  /** One caller that waits for changes. It is told once of those that come while it is busy. */
  private final class Watcher {
    private final ServerCallStreamObserver<Empty> caller;
    private boolean due;
    private boolean over;

    private Watcher(ServerCallStreamObserver<Empty> caller) {
      this.caller = caller;
    }

    private void start() {
      Runnable listener = store.listen(this::changed);
      caller.setOnCancelHandler(
          () -> {
            listener.run();
            synchronized (watchers) {
              watchers.remove(this);
            }
          });
      caller.setOnReadyHandler(this::ready);
      changed();
    }

    private synchronized void changed() {
      due = true;
      ready();
    }

    private synchronized void ready() {
      if (due && !over && caller.isReady()) {
        due = false;
        caller.onNext(Empty.getDefaultInstance());
      }
    }

    private synchronized void end() {
      over = true;
      caller.onCompleted();
    }
  }

  /** Those who watch are told to ask elsewhere; a server would wait for them when it ends. */
  @Override
  public void close() {
    List<Watcher> all;
    synchronized (watchers) {
      closed = true;
      all = List.copyOf(watchers);
      watchers.clear();
    }
    all.forEach(Watcher::end);
  }
}
