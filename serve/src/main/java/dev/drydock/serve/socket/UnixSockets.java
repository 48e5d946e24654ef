package dev.drydock.serve.socket;

import io.grpc.ClientInterceptor;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** gRPC on unix sockets: the network part of servers and clients. */
public final class UnixSockets {
  private static final int FILE_TYPE = 0170000;
  private static final int SOCKET = 0140000;

  /** One daemon thread for all of the process: it only moves bytes, and never keeps a JVM alive. */
  private static final EventLoopGroup LOOP =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("unix-sockets", true), NioIoHandler.newFactory());

  private static final Executor CALLS = task -> Thread.ofVirtual().name("plugin call").start(task);

  /** Of a server; on a node there are few processes that call. */
  static final int MOST_CONNECTIONS = 250;

  private static final int WINDOW = 64 << 10;

  /** Of a connection; further ones wait at the client. */
  private static final int MOST_CALLS = 64;

  private UnixSockets() {}

  private static NioServerDomainSocketChannel bounded() {
    NioServerDomainSocketChannel channel = new NioServerDomainSocketChannel();
    channel.pipeline().addFirst(new ConnectionLimit(MOST_CONNECTIONS));
    return channel;
  }

  static NettyServerBuilder server(Path socket) {
    GrpcLog.takeOver();
    return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        .channelFactory(UnixSockets::bounded)
        .bossEventLoopGroup(LOOP)
        .workerEventLoopGroup(LOOP)
        // what a connection sends while nobody reads it
        .flowControlWindow(WINDOW)
        .maxConcurrentCallsPerConnection(MOST_CALLS)
        // meant for TCP; unix sockets would warn
        .withChildOption(ChannelOption.SO_KEEPALIVE, null)
        .executor(CALLS);
  }

  /** To be shut down by the caller. */
  public static ManagedChannel channel(Path socket, ClientInterceptor... interceptors) {
    GrpcLog.takeOver();
    return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        .channelType(NioDomainSocketChannel.class)
        .eventLoopGroup(LOOP)
        .withOption(ChannelOption.SO_KEEPALIVE, null)
        .executor(CALLS)
        // there is no standard authority for a path
        .overrideAuthority("localhost")
        .intercept(interceptors)
        .usePlaintext()
        .build();
  }

  /** Waits until the server has answered. */
  public static void awaitConnected(ManagedChannel channel, Duration most)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    ConnectivityState state = channel.getState(true);
    while (state != ConnectivityState.READY) {
      if (state == ConnectivityState.TRANSIENT_FAILURE || state == ConnectivityState.SHUTDOWN) {
        throw new IOException("no process listens there");
      }
      CountDownLatch changed = new CountDownLatch(1);
      channel.notifyWhenStateChanged(state, changed::countDown);
      if (!changed.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw new IOException("no connection within %d s".formatted(most.toSeconds()));
      }
      state = channel.getState(true);
    }
  }

  /** False also for what is not there. */
  static boolean isSocket(Path file) throws IOException {
    try {
      Object mode = Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      return mode instanceof Integer bits && (bits & FILE_TYPE) == SOCKET;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Makes the folder and those above it where they are missing, for this user and its group. */
  static void makeFolder(Path folder) throws IOException {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    } catch (IOException e) {
      throw new IOException("cannot make folder %s: %s".formatted(folder, reason(e)), e);
    }
  }

  /** What file operations say beside the path, which they all begin with. */
  static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException denied -> "permission denied";
      case FileAlreadyExistsException exists -> exists.getFile() + " is not a folder";
      case FileSystemException failure when failure.getReason() != null -> failure.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
