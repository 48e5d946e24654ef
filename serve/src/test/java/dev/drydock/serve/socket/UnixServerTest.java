package dev.drydock.serve.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixServerTest {
  @TempDir private Path folder;

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static boolean isAnswered(Path socket) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return channel.isConnected();
    }
  }

  @Test
  void onlyTheOwnerMayConnectUnlessAnotherModeIsSet() throws IOException {
    Path usual = folder.resolve("usual.sock");
    Path shared = folder.resolve("shared.sock");
    try (UnixServer first = UnixServer.listen(usual, List.of());
        UnixServer second = UnixServer.listen(shared, SocketMode.parse("0660"), List.of())) {
      assertThat(mode(first.socket())).isEqualTo("rw-------");
      assertThat(mode(second.socket())).isEqualTo("rw-rw----");
      assertThat(isAnswered(shared)).isTrue();
    }
    assertThat(usual).doesNotExist();
    assertThat(shared).doesNotExist();
  }

  @Test
  void aModeIsReadAsChmodReadsIt() {
    assertThat(PosixFilePermissions.toString(SocketMode.parse("0754").permissions()))
        .isEqualTo("rwxr-xr--");
    assertThat(SocketMode.parse("600")).isEqualTo(SocketMode.OWNER_ONLY);
    for (String wrong : List.of("", "66", "0668", "rw-rw----", "01777", "-660")) {
      assertThatThrownBy(() -> SocketMode.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("\"%s\" is not a file mode; use octal digits such as 0660", wrong);
    }
  }

  @Test
  void aSocketThatWasLeftBehindIsReplaced() throws IOException {
    Path socket = folder.resolve("left.sock");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThat(socket).exists();

    try (UnixServer server = UnixServer.listen(socket, List.of())) {
      assertThat(isAnswered(server.socket())).isTrue();
    }
  }

  @Test
  void whatIsNoSocketIsLeftAlone() throws IOException {
    Path file = Files.writeString(folder.resolve("notes.sock"), "mine");

    assertThatThrownBy(() -> UnixServer.listen(file, List.of()))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot listen at %s: the path exists and is not a socket", file);
    assertThat(file).hasContent("mine");
  }

  @Test
  void aPathThatIsTooLongIsToldWithItsLength() {
    Path socket = folder.resolve("s".repeat(UnixServer.LONGEST_PATH));
    int bytes = socket.toString().length();

    assertThatThrownBy(() -> UnixServer.listen(socket, List.of()))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "cannot listen at %s: the path has %d bytes and a socket's may have %d: use a shorter name or folder",
            socket, bytes, UnixServer.LONGEST_PATH);
  }

  @Test
  void garbageIsAnsweredByClosingAndDoesNotReachTheLogOfTheLibrary() throws IOException {
    List<String> leaked = new CopyOnWriteArrayList<>();
    Logger root = Logger.getLogger("");
    Handler listening =
        new Handler() {
          @Override
          public void publish(LogRecord told) {
            leaked.add(told.getLoggerName() + ": " + told.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    root.addHandler(listening);
    try (UnixServer server = UnixServer.listen(folder.resolve("g.sock"), List.of())) {
      for (String garbage :
          List.of("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "garbage", "\0".repeat(70_000))) {
        try (SocketChannel channel =
            SocketChannel.open(UnixDomainSocketAddress.of(server.socket()))) {
          channel.write(ByteBuffer.wrap(garbage.getBytes(StandardCharsets.UTF_8)));
          channel.shutdownOutput();
          readToTheEnd(channel);
        }
      }
    } finally {
      root.removeHandler(listening);
    }

    assertThat(leaked).noneMatch(line -> line.startsWith("io.grpc"));
    LogRecord told = new LogRecord(Level.INFO, "Transport failed");
    told.setThrown(new IOException("HTTP/2 client preface string missing"));
    assertThat(GrpcLog.line(told))
        .isEqualTo("Transport failed: HTTP/2 client preface string missing");
  }

  private static void readToTheEnd(SocketChannel channel) {
    try {
      while (channel.read(ByteBuffer.allocate(1024)) >= 0) {
        // whatever it says
      }
    } catch (IOException reset) {
      // also an end
    }
  }
}
