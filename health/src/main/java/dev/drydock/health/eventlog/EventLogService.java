package dev.drydock.health.eventlog;

import com.google.protobuf.Timestamp;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.wire.EventLogGrpc;
import dev.drydock.health.wire.EventLogProto;
import dev.drydock.kube.Kube;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.concurrent.Semaphore;

/** Shows the stored events to {@code drydock events}. It does not ask who calls. */
public final class EventLogService {
  /** How many may read or watch at a time. */
  private static final int READERS = 32;

  private final Kube kube;
  private final EventStore store;
  private final Semaphore places = new Semaphore(READERS);

  private EventLogService(Kube kube, EventStore store) {
    this.kube = kube;
    this.store = store;
  }

  public static ServerServiceDefinition of(Kube kube, EventStore store) {
    EventLogService service = new EventLogService(kube, store);
    return ServerServiceDefinition.builder(EventLogGrpc.SERVICE_NAME)
        .addMethod(
            EventLogGrpc.getReadMethod(), ServerCalls.asyncServerStreamingCall(service::read))
        .build();
  }

  private void read(
      EventLogProto.LogRequest request, StreamObserver<EventLogProto.LogEntry> caller) {
    EventQuery query;
    try {
      query = query(request);
    } catch (DateTimeException | ArithmeticException beyond) {
      caller.onError(Status.INVALID_ARGUMENT.withDescription("since is not a time").asException());
      return;
    }
    if (!places.tryAcquire()) {
      caller.onError(
          Status.RESOURCE_EXHAUSTED
              .withDescription("%d others read the events now".formatted(READERS))
              .asException());
      return;
    }
    // what ServerCalls hands to a method that streams its answer
    EventLogReader reader =
        new EventLogReader(
            kube,
            store,
            query,
            request.getWatch(),
            (ServerCallStreamObserver<EventLogProto.LogEntry>) caller,
            places::release);
    reader.start();
  }

  private static EventQuery query(EventLogProto.LogRequest request) {
    EventQuery query = EventQuery.ALL.atMost(EventLogReader.PAGE);
    if (!request.getNode().isEmpty()) {
      query = query.ofNode(request.getNode());
    }
    if (request.hasSince()) {
      Timestamp since = request.getSince();
      query = query.createdSince(Instant.ofEpochSecond(since.getSeconds(), since.getNanos()));
    }
    return query;
  }
}
