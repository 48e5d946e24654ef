package dev.drydock.health.connector;

import com.google.protobuf.MessageLite;
import dev.drydock.health.connector.decide.Refusal;
import dev.drydock.kube.time.TimeSource;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Lets in so many calls at a time. The others wait before their messages are read, so that memory
 * does not grow with the number of callers. Who may not call at all takes no place, and who does
 * not send its message in time loses it.
 */
public final class CallLimit implements ServerInterceptor {
  /** Up to this size, in bytes, a message takes little memory. */
  private static final int SMALL = 64 << 10;

  private final Function<CallHeaders, Admission> admission;
  private final Bounds bounds;
  private final Semaphore calls;
  private final Semaphore messages;
  private final Map<String, Integer> callers = new HashMap<>();

  /**
   * How many calls there may be.
   *
   * @param calls at a time
   * @param messages of them, those whose message is not there yet or is large
   * @param ofCaller of them, those of one caller that is known by name
   * @param patience how long a call waits for its place
   * @param reading how long a call may take to send its message
   */
  public record Bounds(
      int calls, int messages, int ofCaller, Duration patience, Duration reading) {}

  /** Whether a caller may call, whatever it sends. */
  public sealed interface Admission {
    /** It may not. */
    record Refused(Refusal refusal) implements Admission {}

    /**
     * It may.
     *
     * @param caller by which its calls are counted; empty if it is not known
     */
    record Admitted(Optional<String> caller) implements Admission {}
  }

  public CallLimit(Function<CallHeaders, Admission> admission, Bounds bounds) {
    this.admission = admission;
    this.bounds = bounds;
    calls = new Semaphore(bounds.calls(), true);
    messages = new Semaphore(bounds.messages(), true);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return switch (admission.apply(CallHeaders.current())) {
      case Admission.Refused refused -> refuse(call, EventService.status(refused.refusal()));
      case Admission.Admitted admitted -> {
        Place place = new Place(admitted.caller());
        Optional<StatusException> refusal = place.take();
        yield refusal.isPresent() ? refuse(call, refusal.get()) : start(place, call, headers, next);
      }
    };
  }

  private static <Q, A> ServerCall.Listener<Q> refuse(ServerCall<Q, A> call, StatusException why) {
    Metadata trailers = why.getTrailers();
    call.close(why.getStatus(), trailers == null ? new Metadata() : trailers);
    return new ServerCall.Listener<>() {};
  }

  private <Q, A> ServerCall.Listener<Q> start(
      Place place, ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    boolean started = false;
    try {
      ServerCall.Listener<Q> listener =
          next.startCall(
              new SimpleForwardingServerCall<Q, A>(call) {
                @Override
                public void close(Status status, Metadata trailers) {
                  place.leave();
                  super.close(status, trailers);
                }
              },
              headers);
      started = true;
      return new Reading<>(listener, place, call, bounds.reading());
    } finally {
      if (!started) {
        place.leave();
      }
    }
  }

  /** A call until its message is there, which has to be in time. */
  private static final class Reading<Q> extends SimpleForwardingServerCallListener<Q> {
    private enum State {
      READING,
      READ,
      LATE
    }

    private final Place place;
    private final AtomicReference<State> state = new AtomicReference<>(State.READING);
    private final TimeSource.Timer deadline;
    private int bytes;

    Reading(ServerCall.Listener<Q> listener, Place place, ServerCall<Q, ?> call, Duration longest) {
      super(listener);
      this.place = place;
      deadline =
          TimeSource.REAL.schedule(
              longest,
              () -> {
                if (state.compareAndSet(State.READING, State.LATE)) {
                  place.leave();
                  call.close(
                      Status.DEADLINE_EXCEEDED.withDescription(
                          "the message did not come within %d s".formatted(longest.toSeconds())),
                      new Metadata());
                }
              });
    }

    @Override
    public void onMessage(Q message) {
      if (state.get() != State.LATE) {
        bytes = message instanceof MessageLite known ? known.getSerializedSize() : 0;
        super.onMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      if (state.compareAndSet(State.READING, State.READ)) {
        deadline.cancel();
        if (bytes <= SMALL) {
          place.read();
        }
        super.onHalfClose();
      }
    }

    @Override
    public void onCancel() {
      deadline.cancel();
      place.leave();
      super.onCancel();
    }
  }

  /** What a call takes up. */
  private final class Place {
    private final Optional<String> caller;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final AtomicBoolean reading = new AtomicBoolean();

    Place(Optional<String> caller) {
      this.caller = caller;
    }

    /** Why there is none, if so. */
    Optional<StatusException> take() {
      if (!count()) {
        return Optional.of(
            Status.RESOURCE_EXHAUSTED
                .withDescription(
                    "%d calls of this caller are in progress".formatted(bounds.ofCaller()))
                .asException());
      }
      boolean room = false;
      try {
        room = await(calls);
        taken.set(room);
        room = room && await(messages);
        reading.set(room);
      } finally {
        if (!room) {
          give();
          uncount();
        }
      }
      return room
          ? Optional.empty()
          : Optional.of(
              Status.UNAVAILABLE
                  .withDescription("too many calls at a time; try again")
                  .asException());
    }

    private boolean await(Semaphore places) {
      try {
        return places.tryAcquire(bounds.patience().toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    private boolean count() {
      if (caller.isEmpty()) {
        return true;
      }
      synchronized (callers) {
        int present = callers.getOrDefault(caller.get(), 0);
        if (present >= bounds.ofCaller()) {
          return false;
        }
        callers.put(caller.get(), present + 1);
        return true;
      }
    }

    private void uncount() {
      caller.ifPresent(
          name -> {
            synchronized (callers) {
              var _ = callers.computeIfPresent(name, (_, some) -> some > 1 ? some - 1 : null);
            }
          });
    }

    /** Its message is there and takes little memory. */
    void read() {
      if (reading.compareAndSet(true, false)) {
        messages.release();
      }
    }

    private boolean give() {
      read();
      boolean had = taken.compareAndSet(true, false);
      if (had) {
        calls.release();
      }
      return had;
    }

    void leave() {
      if (give()) {
        uncount();
      }
    }
  }
}
