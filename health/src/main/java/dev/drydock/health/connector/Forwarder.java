package dev.drydock.health.connector;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.metrics.WorkQueueMetrics;
import dev.drydock.health.spool.Spool;
import dev.drydock.health.spool.SpoolRecord;
import dev.drydock.health.wire.HealthEventProto;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Kube;
import dev.drydock.serve.socket.TcpChannels;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what is in the spool to the central ingest: one call at a time, in order, again until it is
 * answered. Each event has a key of its own, so that what is sent twice is stored once.
 */
public final class Forwarder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);

  private static final int MOST_BATCHES = 200;
  private static final long MOST_BYTES = 1 << 20;
  private static final Duration CALL = Duration.ofSeconds(30);

  /**
   * Where events go.
   *
   * @param tls empty for plain text
   * @param tokenFile read for each call; empty to send none
   */
  public record Target(String address, Optional<TcpChannels.Tls> tls, Optional<Path> tokenFile) {}

  /** The central ingest did not take events. */
  static final class NotForwarded extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    NotForwarded(String line) {
      super(line);
    }
  }

  private final Kube kube;
  private final Spool spool;
  private final Target target;
  private final ForwarderMetrics metrics;
  private final ControlLoop loop;
  private final CentralChannel channel;
  private final WorkQueueMetrics queue;
  private volatile Optional<String> problem = Optional.empty();

  public Forwarder(Kube kube, Spool spool, Target target, MeterRegistry meters) {
    this.kube = kube;
    this.spool = spool;
    this.target = target;
    metrics = new ForwarderMetrics(meters, spool);
    channel = new CentralChannel(target);
    queue = new WorkQueueMetrics(meters, "databaseStore");
    queue.count(kube.clock(), spool::waiting, spool::taken);
    loop = kube.loop("forwarder", this::step);
  }

  /** There may be something in the spool. */
  public void wake() {
    loop.wake();
  }

  /** Why nothing is forwarded at present, if so. */
  public Optional<String> problem() {
    return problem;
  }

  private Instant step() {
    try {
      List<SpoolRecord> records = spool.peek(MOST_BATCHES, MOST_BYTES);
      if (records.isEmpty()) {
        return Instant.MAX;
      }
      queue.work(Instant.ofEpochMilli(records.getFirst().millis()), () -> forward(records));
      problem = Optional.empty();
      return kube.clock().instant();
    } catch (IOException unreadable) {
      throw failed("cannot forward events: " + unreadable.getMessage());
    }
  }

  private void forward(List<SpoolRecord> records) throws IOException {
    try {
      for (HealthEventProto.HealthEvents message : messages(records)) {
        send(records, message);
      }
      spool.forwarded(records.getLast().number());
      metrics.forwarded(records.size());
    } catch (InvalidProtocolBufferException unreadable) {
      // its checksum was right, so it was written like this: by another version
      isolate(records, "it cannot be read: " + unreadable.getMessage());
    } catch (StatusRuntimeException refused) {
      String why = line(refused.getStatus());
      metrics.failed(refused.getStatus().getCode());
      if (refused.getStatus().getCode() != Status.Code.INVALID_ARGUMENT) {
        throw failed("%s does not take events: %s".formatted(target.address(), why));
      }
      isolate(records, target.address() + " refuses it: " + why);
    }
  }

  /** Finds the batch that cannot be forwarded among several, and puts it aside. */
  private void isolate(List<SpoolRecord> records, String why) throws IOException {
    if (records.size() > 1) {
      forward(records.subList(0, 1));
    } else {
      putAside(records.getFirst(), why);
    }
  }

  private NotForwarded failed(String line) {
    problem = Optional.of(line);
    return new NotForwarded(line);
  }

  private static String line(Status status) {
    return status.getDescription() == null
        ? status.getCode().name()
        : status.getCode() + ", " + status.getDescription();
  }

  /**
   * The others must not wait for one that will never be taken. Nothing is lost: a person can look.
   */
  private void putAside(SpoolRecord record, String why) throws IOException {
    LOG.error("batch {} is put aside: {}", record.number(), why);
    metrics.putAside();
    spool.putAside(record);
  }

  private void send(List<SpoolRecord> records, HealthEventProto.HealthEvents message)
      throws IOException {
    Metadata headers = new Metadata();
    headers.put(CallHeaders.SPOOL, spool.id());
    headers.put(
        CallHeaders.IDEMPOTENCY_KEY,
        "%s:%d-%d".formatted(spool.id(), records.getFirst().number(), records.getLast().number()));
    Duration begun = kube.time().elapsed();
    try {
      var _ =
          channel.call(
              PlatformConnectorGrpc::newBlockingStub,
              headers,
              CALL,
              stub -> stub.healthEventOccurredV1(message));
    } finally {
      metrics.called(kube.time().elapsed().minus(begun));
    }
  }

  /**
   * All events of the batches, in messages that are not too large for the ingest: with its key an
   * event is larger than the one that came. Keys are by batch, so that other messages give the same
   * keys.
   */
  private List<HealthEventProto.HealthEvents> messages(List<SpoolRecord> records)
      throws InvalidProtocolBufferException {
    List<HealthEventProto.HealthEvents> messages = new ArrayList<>();
    List<HealthEventProto.HealthEvent> events = new ArrayList<>();
    long bytes = 0;
    for (SpoolRecord record : records) {
      HealthEventProto.HealthEvents batch =
          HealthEventProto.HealthEvents.parseFrom(record.payload());
      for (int i = 0; i < batch.getEventsCount(); i++) {
        String own =
            batch
                .getEvents(i)
                .getMetadataOrDefault(HealthNames.IDEMPOTENCY_KEY, record.number() + "#" + i);
        HealthEventProto.HealthEvent event =
            batch.getEvents(i).toBuilder()
                .putMetadata(HealthNames.IDEMPOTENCY_KEY, spool.id() + "#" + own)
                .build();
        if (!events.isEmpty() && bytes + event.getSerializedSize() > MOST_BYTES) {
          messages.add(message(events));
          events.clear();
          bytes = 0;
        }
        events.add(event);
        bytes += event.getSerializedSize();
      }
    }
    messages.add(message(events));
    return messages;
  }

  private static HealthEventProto.HealthEvents message(List<HealthEventProto.HealthEvent> events) {
    return HealthEventProto.HealthEvents.newBuilder()
        .setVersion(EventMessages.BATCH_VERSION)
        .addAllEvents(events)
        .build();
  }

  @Override
  public void close() {
    loop.close();
    channel.close();
  }
}
