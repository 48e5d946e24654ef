package dev.drydock.lifecycle.plugin;

import dev.drydock.serve.socket.UnixSockets;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claimer's connection to one driver. Until it has answered once, and while its connection is
 * closed, the driver is gone.
 */
final class DriverConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverConnection.class);
  private static final long CALL_SECONDS = 45;

  private final String name;
  private final Path endpoint;
  private final Clock clock;
  private final Runnable changed;
  private final ManagedChannel channel;
  private @Nullable Instant goneSince;
  private @Nullable Instant deregistered;
  private boolean reached;
  private boolean warned;

  DriverConnection(String name, Path endpoint, Clock clock, Runnable changed) {
    this.name = name;
    this.endpoint = endpoint;
    this.clock = clock;
    this.changed = changed;
    this.channel = UnixSockets.channel(endpoint, Caller.CLAIMER.header());
    goneSince = clock.instant();
  }

  /** Connects, and stays connected as well as it can. */
  void open() {
    follow(channel.getState(true));
  }

  String name() {
    return name;
  }

  Path endpoint() {
    return endpoint;
  }

  synchronized PluginRegistry.Found found() {
    return new PluginRegistry.Found(
        name, endpoint, Optional.ofNullable(goneSince), Optional.ofNullable(deregistered));
  }

  <Q, A> CompletableFuture<A> call(MethodDescriptor<Q, A> method, Q request) {
    synchronized (this) {
      if (deregistered != null) {
        return CompletableFuture.failedFuture(
            Status.UNAVAILABLE
                .withDescription("driver %s has gone from this node".formatted(name))
                .asRuntimeException());
      }
      if (goneSince != null) {
        // it may be back, and would otherwise be tried minutes later
        channel.resetConnectBackoff();
      }
    }
    ClientCall<Q, A> call =
        channel.newCall(
            method, CallOptions.DEFAULT.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS));
    CompletableFuture<A> answer = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(call, request, new Answer<>(answer));
    var _ =
        answer.whenComplete(
            (response, failure) -> {
              if (answer.isCancelled()) {
                call.cancel("given up by the claimer", null);
              }
            });
    return answer;
  }

  /** Calls under way may end; there will be no others. */
  @Override
  public synchronized void close() {
    deregistered = clock.instant();
    if (goneSince == null) {
      goneSince = deregistered;
    }
    channel.shutdown();
  }

  /** Calls under way end as well. */
  void abort() {
    channel.shutdownNow();
  }

  private void follow(ConnectivityState known) {
    channel.notifyWhenStateChanged(
        known,
        () -> {
          ConnectivityState state = channel.getState(true);
          handle(state);
          if (state != ConnectivityState.SHUTDOWN) {
            follow(state);
          }
        });
  }

  private void handle(ConnectivityState state) {
    synchronized (this) {
      if (deregistered != null) {
        return;
      }
      if (state == ConnectivityState.READY && goneSince != null) {
        goneSince = null;
        warned = false;
        LOG.info("driver {} {} at {}", name, reached ? "is back" : "answers", endpoint);
        reached = true;
      } else if (state == ConnectivityState.TRANSIENT_FAILURE && !warned) {
        goneSince = goneSince == null ? clock.instant() : goneSince;
        warned = true;
        LOG.warn("driver {} is registered but cannot be reached at {}", name, endpoint);
      } else {
        return;
      }
    }
    changed.run();
  }

  private record Answer<A>(CompletableFuture<A> answer) implements StreamObserver<A> {
    @Override
    public void onNext(A response) {
      answer.complete(response);
    }

    @Override
    public void onError(Throwable failure) {
      answer.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      // the one answer has come before
    }
  }
}
