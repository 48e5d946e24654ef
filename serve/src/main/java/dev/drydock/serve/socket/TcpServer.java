package dev.drydock.serve.socket;

import dev.drydock.serve.tls.ServingIdentity;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Serves gRPC on a port until closed. */
public final class TcpServer implements AutoCloseable {
  private static final Executor CALLS = task -> Thread.ofVirtual().name("grpc call").start(task);

  private final Server server;
  private final Duration lastCalls;

  private TcpServer(Server server, Duration lastCalls) {
    this.server = server;
    this.lastCalls = lastCalls;
  }

  /**
   * How connections and calls are bounded.
   *
   * @param maxMessageBytes longer ones are answered with RESOURCE_EXHAUSTED
   * @param maxConnectionAge so that callers spread over new replicas
   * @param lastCalls how long closing waits for calls in progress
   */
  public record Limits(
      int maxMessageBytes,
      Duration maxConnectionAge,
      Duration maxConnectionIdle,
      Duration lastCalls) {}

  /**
   * Listens.
   *
   * @param identity empty for plain text
   * @throws IOException with one line that says what is wrong
   */
  public static TcpServer listen(
      InetSocketAddress address,
      Optional<ServingIdentity> identity,
      Limits limits,
      List<ServerServiceDefinition> services)
      throws IOException {
    GrpcLog.takeOver();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .maxInboundMessageSize(limits.maxMessageBytes())
            .maxConnectionAge(limits.maxConnectionAge().toMillis(), TimeUnit.MILLISECONDS)
            .maxConnectionIdle(limits.maxConnectionIdle().toMillis(), TimeUnit.MILLISECONDS)
            .executor(CALLS)
            .addServices(services);
    if (identity.isPresent()) {
      builder.sslContext(
          GrpcSslContexts.configure(
                  SslContextBuilder.forServer(identity.get().keyManager()), SslProvider.JDK)
              .protocols("TLSv1.3", "TLSv1.2")
              .build());
    }
    try {
      return new TcpServer(builder.build().start(), limits.lastCalls());
    } catch (IOException taken) {
      throw new IOException(
          "cannot listen on port %d: %s".formatted(address.getPort(), reason(taken)), taken);
    }
  }

  private static String reason(IOException failure) {
    return failure.getCause() instanceof IOException cause
        ? UnixSockets.reason(cause)
        : UnixSockets.reason(failure);
  }

  public int port() {
    return server.getPort();
  }

  /** Accepts no more calls, and waits a while for those in progress. */
  @Override
  public void close() {
    server.shutdown();
    try {
      if (!server.awaitTermination(lastCalls.toMillis(), TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException stopped) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
