package dev.drydock.health.store.served;

import com.google.protobuf.Empty;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.connector.CentralChannel;
import dev.drydock.health.connector.Forwarder;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StoreFeed;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.wire.EventStoreGrpc;
import dev.drydock.health.wire.EventStoreProto;
import dev.drydock.health.wire.HealthEventProto;
import dev.drydock.kube.time.TimeSource;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The embedded store of another process, which answers at an address. Feeds keep their place here
 * and their positions there, so that they go on when the other process was restarted.
 */
public final class ServedStore implements EventStore {
  static final Metadata NO_HEADERS = new Metadata();

  private static final Duration CALL = Duration.ofSeconds(10);

  /** Of what is sent in one message, unless a single event has more. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int MOST_UPDATES = 500;

  private final Forwarder.Target target;
  private final TimeSource time;
  private final CentralChannel channel;
  private final StoreWatch watch;

  private ServedStore(Forwarder.Target target, TimeSource time) {
    this.target = target;
    this.time = time;
    channel = new CentralChannel(target);
    watch = new StoreWatch(channel, time);
  }

  /**
   * Opens it.
   *
   * @throws StoreUnavailable if it does not answer, or does not let this process in
   */
  public static ServedStore open(Forwarder.Target target, TimeSource time) {
    ServedStore store = new ServedStore(target, time);
    boolean ready = false;
    try {
      var _ = store.count();
      store.watch.start();
      ready = true;
      return store;
    } finally {
      if (!ready) {
        store.close();
      }
    }
  }

  <T> T call(String doing, Function<EventStoreGrpc.EventStoreBlockingStub, T> call) {
    try {
      return channel.call(
          EventStoreGrpc::newBlockingStub,
          NO_HEADERS,
          CALL,
          stub -> call.apply(stub.withMaxInboundMessageSize(StoreService.LARGEST_MESSAGE)));
    } catch (StatusRuntimeException failed) {
      throw new StoreUnavailable(
          "cannot %s: the event store at %s answers %s"
              .formatted(doing, target.address(), line(failed.getStatus())),
          failed);
    } catch (IOException unreadable) {
      throw new StoreUnavailable(
          "cannot %s at %s: %s".formatted(doing, target.address(), unreadable.getMessage()),
          unreadable);
    }
  }

  static String line(Status status) {
    return status.getDescription() == null
        ? status.getCode().name()
        : status.getCode() + ", " + status.getDescription();
  }

  @Override
  public Appended append(List<HealthEvent> events) {
    List<String> ids = new ArrayList<>(events.size());
    int duplicates = 0;
    for (HealthEventProto.HealthEvents batch : batches(events)) {
      EventStoreProto.AppendAnswer answer = call("store events", stub -> stub.append(batch));
      ids.addAll(answer.getIdsList());
      duplicates += answer.getDuplicates();
    }
    return new Appended(ids, duplicates);
  }

  private static List<HealthEventProto.HealthEvents> batches(List<HealthEvent> events) {
    List<HealthEventProto.HealthEvents> batches = new ArrayList<>();
    HealthEventProto.HealthEvents.Builder batch = HealthEventProto.HealthEvents.newBuilder();
    int bytes = 0;
    for (HealthEvent event : events) {
      HealthEventProto.HealthEvent message = EventMessages.message(event);
      if (bytes > 0 && bytes + message.getSerializedSize() > MOST_BYTES) {
        batches.add(batch.build());
        batch.clear();
        bytes = 0;
      }
      batch.addEvents(message);
      bytes += message.getSerializedSize();
    }
    batches.add(batch.build());
    return batches;
  }

  @Override
  public Optional<StoredEvent> get(String id) {
    EventStoreProto.GetRequest request = EventStoreProto.GetRequest.newBuilder().setId(id).build();
    return StoreMessages.events(call("read an event", stub -> stub.get(request))).stream()
        .findFirst();
  }

  @Override
  public List<StoredEvent> query(EventQuery query) {
    List<StoredEvent> found = new ArrayList<>();
    EventQuery next = query;
    boolean more = true;
    while (more) {
      EventStoreProto.QueryRequest request = StoreMessages.request(next);
      EventStoreProto.EventPage page = call("read events", stub -> stub.query(request));
      found.addAll(StoreMessages.events(page));
      more = page.getMore() && found.size() < query.limit();
      if (more) {
        next = query.after(found.getLast()).atMost(query.limit() - found.size());
      }
    }
    return found;
  }

  @Override
  public int update(List<EventUpdate> updates) {
    int found = 0;
    for (int from = 0; from < updates.size(); from += MOST_UPDATES) {
      List<EventUpdate> some = updates.subList(from, Math.min(updates.size(), from + MOST_UPDATES));
      EventStoreProto.UpdateRequest request =
          EventStoreProto.UpdateRequest.newBuilder()
              .addAllUpdates(some.stream().map(StoreMessages::message).toList())
              .build();
      found += call("update events", stub -> stub.update(request)).getFound();
    }
    return found;
  }

  @Override
  public ChangeFeed feed(String consumer, ChangeFilter filter, FeedStart start, Runnable wake) {
    Runnable listener = watch.listen(wake);
    return new StoreFeed(
        new StoreFeed.Context(this, new ServedChanges(this, consumer, listener), time),
        consumer,
        filter,
        start,
        wake);
  }

  @Override
  public void forget(String consumer) {
    var _ =
        call("remove a position", stub -> stub.forgetPosition(ServedChanges.consumer(consumer)));
  }

  /** The process that has the store does that by itself. */
  @Override
  public int expire(Instant before) {
    return 0;
  }

  @Override
  public long count() {
    return call("read the event store", stub -> stub.count(Empty.getDefaultInstance())).getEvents();
  }

  @Override
  public void backup(Path file) {
    throw new UnsupportedOperationException(
        "run drydock health backup where the event store is, at " + target.address());
  }

  @Override
  public Optional<String> unready() {
    return watch.problem().map(why -> "the event store at %s: %s".formatted(target.address(), why));
  }

  @Override
  public void close() {
    watch.close();
    channel.close();
  }
}
