package dev.drydock.health.connector;

import dev.drydock.health.connector.decide.Refusal;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Lets in so many calls at a time. The others wait before their messages are read, so that memory
 * does not grow with the number of nodes. Who may not call at all takes no place.
 */
public final class CallLimit implements ServerInterceptor {
  private final Function<CallHeaders, Optional<Refusal>> admission;
  private final Semaphore places;
  private final Duration patience;

  /**
   * @param admission why a caller is refused whatever it sends, if so
   * @param patience how long a call waits
   */
  public CallLimit(
      Function<CallHeaders, Optional<Refusal>> admission, int most, Duration patience) {
    this.admission = admission;
    places = new Semaphore(most, true);
    this.patience = patience;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Optional<StatusException> refusal =
        admission.apply(CallHeaders.current()).map(EventService::status).or(this::awaitPlace);
    if (refusal.isPresent()) {
      Metadata trailers = refusal.get().getTrailers();
      call.close(refusal.get().getStatus(), trailers == null ? new Metadata() : trailers);
      return new ServerCall.Listener<>() {};
    }
    AtomicBoolean left = new AtomicBoolean();
    Runnable leave =
        () -> {
          if (left.compareAndSet(false, true)) {
            places.release();
          }
        };
    boolean started = false;
    try {
      ServerCall.Listener<Q> listener =
          next.startCall(
              new SimpleForwardingServerCall<Q, A>(call) {
                @Override
                public void close(Status status, Metadata trailers) {
                  leave.run();
                  super.close(status, trailers);
                }
              },
              headers);
      started = true;
      return new SimpleForwardingServerCallListener<Q>(listener) {
        @Override
        public void onCancel() {
          leave.run();
          super.onCancel();
        }
      };
    } finally {
      if (!started) {
        leave.run();
      }
    }
  }

  private Optional<StatusException> awaitPlace() {
    try {
      if (places.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return Optional.empty();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return Optional.of(
        Status.UNAVAILABLE.withDescription("too many calls at a time; try again").asException());
  }
}
