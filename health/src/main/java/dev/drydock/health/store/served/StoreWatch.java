package dev.drydock.health.store.served;

import com.google.protobuf.Empty;
import dev.drydock.health.connector.CentralChannel;
import dev.drydock.health.wire.EventStoreGrpc;
import dev.drydock.kube.time.TimeSource;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wakes the feeds of a served store when there may be more changes, also after each time in which
 * that could not be heard. Thread-safe.
 */
final class StoreWatch implements AutoCloseable {
  /** How long a dead connection may stay unnoticed. */
  private static final Duration CALL = Duration.ofMinutes(1);

  private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

  private final CentralChannel channel;
  private final TimeSource time;
  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private volatile Optional<String> problem = Optional.of("not connected yet");
  private volatile boolean closed;

  private static final class Listener {
    private final Runnable wake;

    private Listener(Runnable wake) {
      this.wake = wake;
    }
  }

  StoreWatch(CentralChannel channel, TimeSource time) {
    this.channel = channel;
    this.time = time;
  }

  /** Why nothing is heard at present, if so. */
  Optional<String> problem() {
    return problem;
  }

  /**
   * Calls {@code wake} when there may be more changes.
   *
   * @return ends that
   */
  Runnable listen(Runnable wake) {
    Listener listener = new Listener(wake);
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  private void wake() {
    listeners.forEach(listener -> listener.wake.run());
  }

  void start() {
    if (closed) {
      return;
    }
    try {
      ManagedChannel open = channel.open();
      channel
          .stub(EventStoreGrpc.newStub(open), ServedStore.NO_HEADERS, CALL)
          .watch(Empty.getDefaultInstance(), new Changes(open));
    } catch (IOException unreadable) {
      ended(Optional.of(String.valueOf(unreadable.getMessage())));
    }
  }

  private final class Changes implements StreamObserver<Empty> {
    private final ManagedChannel open;
    private volatile boolean heard;

    private Changes(ManagedChannel open) {
      this.open = open;
    }

    @Override
    public void onNext(Empty mayBeMore) {
      heard = true;
      problem = Optional.empty();
      wake();
    }

    @Override
    public void onError(Throwable failure) {
      Status status = Status.fromThrowable(failure);
      boolean overdue = heard && status.getCode() == Status.Code.DEADLINE_EXCEEDED;
      if (!overdue) {
        channel.replace(open);
      }
      ended(overdue ? Optional.empty() : Optional.of(ServedStore.line(status)));
    }

    @Override
    public void onCompleted() {
      ended(Optional.empty());
    }
  }

  private void ended(Optional<String> why) {
    problem = why;
    if (!closed) {
      wake(); // who asks now learns what is wrong, too
      var _ = time.schedule(why.isEmpty() ? Duration.ZERO : BETWEEN_ATTEMPTS, this::start);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
