package dev.drydock.serve.socket;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Serves gRPC on a unix socket until closed. */
public final class UnixServer implements AutoCloseable {
  /** The longest path that the kernel takes, in bytes. */
  public static final int LONGEST_PATH = 107;

  private static final Duration LAST_CALLS = Duration.ofSeconds(2);

  private final Path socket;
  private final Object identity;
  private final Server server;

  private UnixServer(Path socket, Object identity, Server server) {
    this.socket = socket;
    this.identity = identity;
    this.server = server;
  }

  /** As {@link #listen(Path, SocketMode, List)}; only the socket's owner may use it. */
  public static UnixServer listen(Path socket, List<ServerServiceDefinition> services)
      throws IOException {
    return listen(socket, SocketMode.OWNER_ONLY, services);
  }

  /**
   * Creates missing folders (mode 0750) and listens; replaces a stale socket, so that there is
   * always one. The socket has its mode and is served from the moment it is visible.
   *
   * @throws IOException with one line that says what is wrong
   */
  public static UnixServer listen(
      Path socket, SocketMode mode, List<ServerServiceDefinition> services) throws IOException {
    Path path = socket.toAbsolutePath().normalize();
    Path name = path.getFileName();
    Path folder = path.getParent();
    if (name == null || folder == null) {
      throw new IOException("cannot listen at %s: not a file name".formatted(path));
    }
    if (name.toString().startsWith(".")) {
      throw new IOException(
          "cannot listen at %s: kubelets ignore names that begin with a dot".formatted(path));
    }
    Path draft = folder.resolve(draftName());
    checkLength(path, Math.max(bytes(path), bytes(draft)));
    UnixSockets.makeFolder(folder);
    requireSocketOrNothing(path);
    Server server = bind(draft, path, services);
    try {
      Files.setPosixFilePermissions(draft, mode.permissions());
      Object identity = identity(draft);
      Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
      return new UnixServer(path, identity, server);
    } catch (IOException e) {
      // closing removes the draft
      server.shutdownNow();
      throw new IOException("cannot listen at %s: %s".formatted(path, UnixSockets.reason(e)), e);
    }
  }

  /** Whether the socket is there no more; false also if another one took its place. */
  public boolean isSocketGone() {
    return !Files.exists(socket, LinkOption.NOFOLLOW_LINKS);
  }

  /** Whether another socket, or anything else, has taken the place of this one. */
  public boolean isSocketReplaced() {
    try {
      return !identity.equals(identity(socket));
    } catch (IOException gone) {
      return false;
    }
  }

  public Path socket() {
    return socket;
  }

  /** Accepts no more calls, removes the socket, and waits a short while for calls in progress. */
  @Override
  public void close() {
    server.shutdown();
    try {
      removeOwn();
      if (!server.awaitTermination(LAST_CALLS.toMillis(), TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Begins with a dot, so that kubelets ignore it. The server is bound to this name and the socket
   * is then renamed: Netty then removes only the temporary name on close, not a successor's socket.
   */
  private static String draftName() {
    return "." + Integer.toString(ThreadLocalRandom.current().nextInt(1 << 30), 36);
  }

  private static Server bind(Path draft, Path path, List<ServerServiceDefinition> services)
      throws IOException {
    try {
      return UnixSockets.server(draft).addServices(services).build().start();
    } catch (IOException e) {
      IOException told = e.getCause() instanceof IOException cause ? cause : e;
      throw new IOException("cannot listen at %s: %s".formatted(path, UnixSockets.reason(told)), e);
    }
  }

  private static void checkLength(Path path, int bytes) throws IOException {
    if (bytes > LONGEST_PATH) {
      throw new IOException(
          "cannot listen at %s: the path has %d bytes and a socket's may have %d: use a shorter name or folder"
              .formatted(path, bytes, LONGEST_PATH));
    }
  }

  private static int bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  private static void requireSocketOrNothing(Path path) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !UnixSockets.isSocket(path)) {
      throw new IOException(
          "cannot listen at %s: the path exists and is not a socket".formatted(path));
    }
  }

  /** A successor may have replaced the socket already. */
  private void removeOwn() {
    try {
      if (identity.equals(identity(socket))) {
        Files.deleteIfExists(socket);
      }
    } catch (NoSuchFileException e) {
      // already removed
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot remove socket %s: %s".formatted(socket, UnixSockets.reason(e)), e);
    }
  }

  /** The number of a removed file may be given to the next one, hence its time. */
  public static Object identity(Path file) throws IOException {
    BasicFileAttributes found =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return List.of(String.valueOf(found.fileKey()), found.lastModifiedTime());
  }
}
