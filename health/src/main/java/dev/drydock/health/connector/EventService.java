package dev.drydock.health.connector;

import com.google.protobuf.Any;
import com.google.protobuf.Empty;
import com.google.rpc.ErrorInfo;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.connector.decide.Refusal;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.wire.HealthEventProto;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.Bugs;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gRPC service that monitors call, on the socket and centrally. */
public final class EventService {
  private static final Logger LOG = LoggerFactory.getLogger(EventService.class);

  private static final Duration[] BUCKETS =
      IntStream.of(1, 5, 10, 50, 100, 500, 1000, 5000, 30_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  /** Takes batches. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Returns when the batch is safe.
     *
     * @throws StatusException if nothing of it was taken, or the caller has to repeat it
     */
    void handle(List<HealthEvent> batch, CallHeaders headers) throws StatusException;
  }

  private final Handler handler;
  private final MeterRegistry meters;

  private EventService(Handler handler, MeterRegistry meters) {
    this.handler = handler;
    this.meters = meters;
  }

  /** The service, for so many calls at a time. */
  public static ServerServiceDefinition of(Handler handler, MeterRegistry meters, CallLimit limit) {
    // the last one is the first to see a call
    return ServerInterceptors.intercept(bare(handler, meters), limit, new CallHeaders.Reader());
  }

  private static ServerServiceDefinition bare(Handler handler, MeterRegistry meters) {
    EventService service = new EventService(handler, meters);
    return ServerServiceDefinition.builder(PlatformConnectorGrpc.SERVICE_NAME)
        .addMethod(
            PlatformConnectorGrpc.getHealthEventOccurredV1Method(),
            ServerCalls.asyncUnaryCall(service::answer))
        .build();
  }

  private void answer(HealthEventProto.HealthEvents request, StreamObserver<Empty> to) {
    Timer.Sample started = Timer.start(meters);
    String outcome =
        Bugs.call(
            () -> {
              try {
                handler.handle(EventMessages.events(request), CallHeaders.current());
                to.onNext(Empty.getDefaultInstance());
                to.onCompleted();
                return "ok";
              } catch (StatusException refused) {
                to.onError(refused);
                return isCallersFault(refused.getStatus()) ? "rejected" : "failed";
              }
            },
            bug -> {
              LOG.error("a batch of health events could not be handled", bug);
              to.onError(
                  Status.INTERNAL
                      .withDescription("a bug in the connector; see its log")
                      .asException());
              return "failed";
            });
    started.stop(
        Timer.builder("platform_connector_request_duration")
            .tag("outcome", outcome)
            .serviceLevelObjectives(BUCKETS)
            .register(meters));
  }

  private static boolean isCallersFault(Status status) {
    return switch (status.getCode()) {
      case INVALID_ARGUMENT, PERMISSION_DENIED, UNAUTHENTICATED -> true;
      default -> false;
    };
  }

  /** The answer to a refused call. */
  public static StatusException status(Refusal refusal) {
    Status status =
        switch (refusal.kind()) {
          case UNAUTHENTICATED -> Status.UNAUTHENTICATED;
          case PERMISSION_DENIED -> Status.PERMISSION_DENIED;
          case INVALID_ARGUMENT -> Status.INVALID_ARGUMENT;
          case UNAVAILABLE -> Status.UNAVAILABLE;
          case DEADLINE_EXCEEDED -> Status.DEADLINE_EXCEEDED;
          case INTERNAL -> Status.INTERNAL;
        };
    if (refusal.kind() == Refusal.Kind.UNAVAILABLE) {
      // clients tell by it that their own connector is well
      return StatusProto.toStatusException(
          com.google.rpc.Status.newBuilder()
              .setCode(status.getCode().value())
              .setMessage(refusal.message())
              .addDetails(
                  Any.pack(
                      ErrorInfo.newBuilder()
                          .setReason("NVSENTINEL_AUTH_BACKEND_UNAVAILABLE")
                          .setDomain("nvsentinel.nvidia.com")
                          .build()))
              .build());
    }
    return status.withDescription(refusal.message()).asException();
  }
}
