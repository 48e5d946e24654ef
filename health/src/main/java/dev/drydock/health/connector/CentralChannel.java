package dev.drydock.health.connector;

import dev.drydock.serve.socket.TcpChannels;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the operator that has the event store, with the token of this process.
 * Thread-safe.
 */
public final class CentralChannel implements AutoCloseable {
  private final Forwarder.Target target;
  private @Nullable ManagedChannel channel;
  private boolean closed;

  public CentralChannel(Forwarder.Target target) {
    this.target = target;
  }

  /**
   * Makes a call that blocks. After a failure the next call gets a new connection, which reads the
   * certificates again and does not wait, as gRPC does by itself for up to two minutes.
   *
   * @throws StatusRuntimeException if the call fails
   * @throws IOException if certificates or the token cannot be read
   */
  public <S extends AbstractStub<S>, T> T call(
      Function<Channel, S> stubs, Metadata headers, Duration within, Function<S, T> call)
      throws IOException {
    ManagedChannel open = open();
    boolean answered = false;
    try {
      T answer = call.apply(stub(stubs.apply(open), headers, within));
      answered = true;
      return answer;
    } finally {
      if (!answered) {
        replace(open);
      }
    }
  }

  /** A stub for a call that does not block; a failure of it is for {@link #replace}. */
  public <S extends AbstractStub<S>> S stub(S bare, Metadata headers, Duration within)
      throws IOException {
    return bare.withInterceptors(credentials(headers))
        .withDeadlineAfter(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The open connection, or a new one. */
  public synchronized ManagedChannel open() throws IOException {
    if (closed) {
      throw new IOException("the connection is closed");
    }
    if (channel == null) {
      channel = TcpChannels.channel(target.address(), target.tls());
    }
    return channel;
  }

  /** Calls in progress go on. */
  public synchronized void replace(ManagedChannel failed) {
    if (failed.equals(channel)) {
      failed.shutdown();
      channel = null;
    }
  }

  private ClientInterceptor credentials(Metadata more) throws IOException {
    Metadata headers = new Metadata();
    headers.merge(more);
    if (target.tokenFile().isPresent()) {
      headers.put(CallHeaders.AUTHORIZATION, "Bearer " + token(target.tokenFile().get()));
    }
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  /** Reads the token for each call: it is replaced before it expires. */
  private static String token(Path file) throws IOException {
    try {
      return Files.readString(file).strip();
    } catch (IOException unreadable) {
      throw new IOException("cannot read the token in " + file, unreadable);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (channel != null) {
      channel.shutdownNow();
      channel = null;
    }
  }
}
