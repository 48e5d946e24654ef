package dev.drydock.serve.socket;

import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** gRPC clients on TCP. */
public final class TcpChannels {
  private TcpChannels() {}

  /**
   * How a server is recognised.
   *
   * @param authorities a file of certificates; empty for those that Java trusts
   * @param serverName that the certificate must have; empty for the target's
   */
  public record Tls(Optional<Path> authorities, Optional<String> serverName) {}

  /**
   * To be shut down by the caller.
   *
   * @param tls empty for plain text
   * @throws IOException if the file of certificates cannot be read
   */
  public static ManagedChannel channel(String target, Optional<Tls> tls) throws IOException {
    GrpcLog.takeOver();
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget(target)
            .executor(task -> Thread.ofVirtual().name("grpc answer").start(task));
    if (tls.isEmpty()) {
      return builder.usePlaintext().build();
    }
    SslContextBuilder context =
        GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
    if (tls.get().authorities().isPresent()) {
      Path file = tls.get().authorities().get();
      if (!Files.isReadable(file)) {
        throw new IOException("cannot read the certificates in " + file);
      }
      context.trustManager(file.toFile());
    }
    tls.get().serverName().ifPresent(builder::overrideAuthority);
    return builder.sslContext(context.build()).build();
  }
}
