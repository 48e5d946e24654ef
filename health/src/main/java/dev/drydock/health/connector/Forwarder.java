package dev.drydock.health.connector;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.spool.Spool;
import dev.drydock.health.spool.SpoolRecord;
import dev.drydock.health.wire.HealthEventProto;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Kube;
import dev.drydock.serve.socket.TcpChannels;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
  private final MeterRegistry meters;
  private final ControlLoop loop;
  private @Nullable ManagedChannel channel;
  private volatile Optional<String> problem = Optional.empty();

  public Forwarder(Kube kube, Spool spool, Target target, MeterRegistry meters) {
    this.kube = kube;
    this.spool = spool;
    this.target = target;
    this.meters = meters;
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
      forward(records);
      problem = Optional.empty();
      return kube.clock().instant();
    } catch (IOException unreadable) {
      throw failed("cannot read the spool: " + unreadable.getMessage());
    }
  }

  private void forward(List<SpoolRecord> records) throws IOException {
    try {
      send(records);
      spool.forwarded(records.getLast().number());
      meters.counter("drydock_connector_forwarded_batches").increment(records.size());
    } catch (StatusRuntimeException refused) {
      if (refused.getStatus().getCode() != Status.Code.INVALID_ARGUMENT) {
        throw failed(
            "%s does not take events: %s".formatted(target.address(), line(refused.getStatus())));
      }
      if (records.size() > 1) {
        forward(records.subList(0, 1)); // to find the one that is refused
      } else {
        putAside(records.getFirst(), refused.getStatus());
      }
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
  private void putAside(SpoolRecord record, Status status) throws IOException {
    LOG.error(
        "{} refuses batch {} for good: {}; it is put aside",
        target.address(),
        record.number(),
        line(status));
    meters.counter("drydock_connector_refused_batches").increment();
    spool.putAside(record);
  }

  private void send(List<SpoolRecord> records) throws IOException {
    Metadata headers = new Metadata();
    headers.put(CallHeaders.SPOOL, spool.id());
    headers.put(
        CallHeaders.IDEMPOTENCY_KEY,
        "%s:%d-%d".formatted(spool.id(), records.getFirst().number(), records.getLast().number()));
    if (target.tokenFile().isPresent()) {
      headers.put(
          CallHeaders.AUTHORIZATION,
          "Bearer " + Files.readString(target.tokenFile().get()).strip());
    }
    var _ =
        PlatformConnectorGrpc.newBlockingStub(channel())
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
            .withDeadlineAfter(CALL.toMillis(), TimeUnit.MILLISECONDS)
            .healthEventOccurredV1(message(records));
  }

  private synchronized ManagedChannel channel() throws IOException {
    if (channel == null) {
      channel = TcpChannels.channel(target.address(), target.tls());
    }
    return channel;
  }

  /** One message of all batches; keys are by batch, so that other groups give the same keys. */
  private HealthEventProto.HealthEvents message(List<SpoolRecord> records) {
    HealthEventProto.HealthEvents.Builder message =
        HealthEventProto.HealthEvents.newBuilder().setVersion(1);
    for (SpoolRecord record : records) {
      try {
        HealthEventProto.HealthEvents batch =
            HealthEventProto.HealthEvents.parseFrom(record.payload());
        for (int i = 0; i < batch.getEventsCount(); i++) {
          message.addEvents(
              batch.getEvents(i).toBuilder()
                  .putMetadata(HealthNames.IDEMPOTENCY_KEY, key(spool.id(), record.number(), i)));
        }
      } catch (InvalidProtocolBufferException damaged) {
        // its checksum was right, so it was written like this: by another version
        LOG.error("batch {} cannot be read: {}", record.number(), damaged.getMessage());
      }
    }
    return message.build();
  }

  static String key(String spool, long batch, int index) {
    return spool + "#" + batch + "#" + index;
  }

  @Override
  public void close() {
    loop.close();
    synchronized (this) {
      if (channel != null) {
        channel.shutdownNow();
      }
    }
  }
}
