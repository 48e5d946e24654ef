package dev.drydock.serve.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.drydock.testkit.Eventually;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

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

  /** Each takes memory; whoever opens too many must not cost the process its life. */
  @Test
  void connectionsBeyondABoundAreClosedAndThereIsRoomAgainWhenOthersEnd() throws IOException {
    try (UnixServer server = UnixServer.listen(folder.resolve("m.sock"), List.of())) {
      List<SocketChannel> open = new ArrayList<>();
      UnixDomainSocketAddress address = UnixDomainSocketAddress.of(server.socket());
      for (int i = 0; i < UnixSockets.MOST_CONNECTIONS; i++) {
        open.add(SocketChannel.open(address));
      }
      try (SocketChannel further = SocketChannel.open(address)) {
        assertThat(further.read(ByteBuffer.allocate(1))).as("closed").isEqualTo(-1);
      }
      for (SocketChannel each : open) {
        each.close();
      }
      byte[] garbage = "garbage".getBytes(StandardCharsets.ISO_8859_1);
      Eventually.inRealTime()
          .until(() -> answer(server.socket(), garbage).contains("client preface"));
    }
  }

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** What is no HTTP/2, what is no gRPC, and what is not even complete. */
  static Stream<Arguments> garbage() {
    return Stream.of(
        Arguments.of("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "Unexpected HTTP/1.x request: GET /"),
        Arguments.of("POST /\u001b[31m HTTP/1.1\r\n\r\n", "Unexpected HTTP/1.x request: POST /"),
        Arguments.of("garbage\nof two lines\n", "HTTP/2 client preface string missing or corrupt"),
        Arguments.of("\0".repeat(70_000), "HTTP/2 client preface string missing or corrupt"),
        Arguments.of("\u0016\u0003\u0001 TLS", "HTTP/2 client preface string missing or corrupt"),
        Arguments.of(PREFACE + "no frame of HTTP/2", "First received frame was not SETTINGS"),
        Arguments.of(
            PREFACE + "\0\0\0\u0004\0\0\0\0\0" + "\u007f".repeat(9), "exceeds maximum: 16384"),
        Arguments.of(PREFACE.substring(0, 9), ""));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("garbage")
  void garbageIsAnsweredAndIsOneLineOfOurLog(String garbage, String why) throws IOException {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    List<String> leaked = new CopyOnWriteArrayList<>();
    Handler ofOthers = noting(leaked);
    java.util.logging.Logger.getLogger("").addHandler(ofOthers);
    Level before = logger.getLevel();
    logger.setLevel(Level.INFO); // as in the processes that serve
    logger.addAppender(log);
    log.start();
    String answer;
    try (UnixServer server = UnixServer.listen(folder.resolve("g.sock"), List.of())) {
      answer = answer(server.socket(), garbage.getBytes(StandardCharsets.ISO_8859_1));
      assertThat(isAnswered(server.socket())).as("serves others").isTrue();
    } finally {
      logger.setLevel(before);
      logger.detachAppender(log);
      java.util.logging.Logger.getLogger("").removeHandler(ofOthers);
    }

    assertThat(answer).contains(why).doesNotContain("\tat ", "java.");
    assertThat(leaked).noneMatch(line -> line.startsWith("io.grpc"));
    assertThat(log.list)
        .as("nothing for a client that only went away")
        .hasSize(why.isEmpty() ? 0 : 1)
        .allSatisfy(
            line -> {
              assertThat(line.getLevel()).isEqualTo(Level.INFO);
              assertThat(line.getThrowableProxy()).as("a stack trace").isNull();
              assertThat(line.getFormattedMessage())
                  .startsWith("gRPC: Transport failed: ")
                  .contains(why)
                  .hasLineCount(1);
            });
  }

  private static Handler noting(List<String> told) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        told.add(line.getLoggerName() + ": " + line.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  /** Of a server that may close the connection before it has read all. */
  private static String answer(Path socket, byte[] garbage) throws IOException {
    StringBuilder answer = new StringBuilder();
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteBuffer buffer = ByteBuffer.allocate(1024);
      try {
        channel.write(ByteBuffer.wrap(garbage));
        channel.shutdownOutput();
        while (channel.read(buffer.clear()) >= 0) {
          answer.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
        }
      } catch (IOException closed) {
        answer.append(closed.getMessage()); // also an end
      }
    }
    return answer.toString();
  }
}
