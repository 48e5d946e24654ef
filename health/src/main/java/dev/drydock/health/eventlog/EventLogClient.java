package dev.drydock.health.eventlog;

import com.google.protobuf.Timestamp;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.wire.EventLogGrpc;
import dev.drydock.health.wire.EventLogProto;
import dev.drydock.kube.Json;
import dev.drydock.serve.socket.TcpChannels;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Reads the events of an operator that answers at an address, by plain text. */
public final class EventLogClient implements AutoCloseable {
  private final ManagedChannel channel;

  /**
   * @param address HOST:PORT
   */
  public EventLogClient(String address) throws IOException {
    channel = TcpChannels.channel(address, Optional.empty());
  }

  /**
   * The stored events that are there, oldest first.
   *
   * @param node only events of this node
   * @throws StatusRuntimeException if the operator does not answer
   */
  public void read(Optional<String> node, Optional<Instant> since, Consumer<StoredEvent> events)
      throws IOException {
    stream(
        request(node, since).build(),
        event -> {
          events.accept(event);
          return true;
        });
  }

  /**
   * The same, and then each event that is new or whose state has changed, until {@code events} says
   * false.
   */
  public void watch(Optional<String> node, Optional<Instant> since, Predicate<StoredEvent> events)
      throws IOException {
    stream(request(node, since).setWatch(true).build(), events);
  }

  private static EventLogProto.LogRequest.Builder request(
      Optional<String> node, Optional<Instant> since) {
    EventLogProto.LogRequest.Builder request =
        EventLogProto.LogRequest.newBuilder().setNode(node.orElse(""));
    since.ifPresent(
        time ->
            request.setSince(
                Timestamp.newBuilder().setSeconds(time.getEpochSecond()).setNanos(time.getNano())));
    return request;
  }

  private void stream(EventLogProto.LogRequest request, Predicate<StoredEvent> events)
      throws IOException {
    Iterator<EventLogProto.LogEntry> entries = EventLogGrpc.newBlockingStub(channel).read(request);
    boolean more = true;
    while (more && entries.hasNext()) {
      more = events.test(StoredEventJson.read(Json.read(entries.next().getJson())));
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
