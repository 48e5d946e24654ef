package dev.drydock.lifecycle.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.lifecycle.pluginregistration.InfoRequest;
import dev.drydock.lifecycle.pluginregistration.PluginInfo;
import dev.drydock.lifecycle.pluginregistration.RegistrationGrpc;
import dev.drydock.lifecycle.pluginregistration.RegistrationStatus;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.SLMPluginGrpc;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import dev.drydock.serve.socket.UnixServer;
import dev.drydock.testkit.Eventually;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PluginServerTest {
  private static final String NAME = "drain.example";

  private final RecordingDriver driver = new RecordingDriver();
  private final List<String> verdicts = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
  @TempDir private Path folder;
  private PluginServer.SocketFolders folders;
  private Path dataFolder;
  private Path service;
  private Path registration;

  @BeforeEach
  void places() {
    folders = new PluginServer.SocketFolders(folder.resolve("plugins"), folder.resolve("registry"));
    dataFolder = folders.dataFolder().resolve(NAME);
    service = dataFolder.resolve("slm.sock");
    registration = folders.registrationFolder().resolve(NAME + "-reg.sock");
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  @Test
  void listensBeforeItsRegistrationAppears() throws Exception {
    Files.createDirectories(dataFolder);
    Files.createDirectories(folders.registrationFolder());
    try (WatchService watcher = folder.getFileSystem().newWatchService()) {
      WatchKey services = watch(dataFolder, watcher, StandardWatchEventKinds.ENTRY_CREATE);
      WatchKey registrations =
          watch(folders.registrationFolder(), watcher, StandardWatchEventKinds.ENTRY_CREATE);

      start();

      assertThat(watcher.take()).isSameAs(services);
      assertThat(watcher.take()).isSameAs(registrations);
    }
  }

  @Test
  void withdrawsItsRegistrationBeforeItsService() throws Exception {
    PluginServer server = start();
    try (WatchService watcher = folder.getFileSystem().newWatchService()) {
      WatchKey services = watch(dataFolder, watcher, StandardWatchEventKinds.ENTRY_DELETE);
      WatchKey registrations =
          watch(folders.registrationFolder(), watcher, StandardWatchEventKinds.ENTRY_DELETE);

      server.close();

      assertThat(watcher.take()).isSameAs(registrations);
      assertThat(watcher.take()).isSameAs(services);
    }
  }

  @Test
  void leavesNothingBehind() throws Exception {
    PluginServer server = start();

    server.close();
    server.close();

    assertThat(dataFolder).isEmptyDirectory();
    assertThat(folders.registrationFolder()).isEmptyDirectory();
  }

  @Test
  void asksItselfWithoutTroublingTheDriver() throws Exception {
    start();

    assertThat(driver.starts).isEmpty();
    assertThat(driver.ends).isEmpty();
    assertThat(verdicts).isEmpty();
  }

  @Test
  void takesThePlaceOfSocketsThatWereLeftBehind() throws Exception {
    leaveSocket(service);
    leaveSocket(registration);

    start();

    assertThat(info().getName()).isEqualTo(NAME);
    assertThat(startDrain().getLifecycleCondition()).isEqualTo("drain-started");
  }

  @Test
  void endsWithoutTakingTheSocketsOfItsSuccessor() throws Exception {
    PluginServer old = start();
    start();

    old.close();

    assertThat(info().getName()).isEqualTo(NAME);
    assertThat(startDrain().getLifecycleCondition()).isEqualTo("drain-started");
  }

  @Test
  void letsOnlyTheOwnerIn() throws Exception {
    start();

    assertThat(mode(folders.dataFolder())).isEqualTo("rwxr-x---");
    assertThat(mode(dataFolder)).isEqualTo("rwxr-x---");
    assertThat(mode(folders.registrationFolder())).isEqualTo("rwxr-x---");
    assertThat(mode(service)).isEqualTo("rw-------");
    assertThat(mode(registration)).isEqualTo("rw-------");
  }

  @Test
  void staysWhenTheKubeletRefusesIt() throws Exception {
    start();
    RegistrationStatus refusal =
        RegistrationStatus.newBuilder().setError("no handler for SLMPlugin").build();

    for (int times = 0; times < 3; times++) {
      assertThatThrownBy(
              () ->
                  RegistrationGrpc.newBlockingStub(client(registration).channel())
                      .notifyRegistrationStatus(refusal))
          .hasMessage("UNKNOWN: registration failed: no handler for SLMPlugin");
    }

    assertThat(verdicts).containsOnly("false no handler for SLMPlugin").hasSize(3);
    assertThat(info().getName()).isEqualTo(NAME);
    assertThat(startDrain().getLifecycleCondition()).isEqualTo("drain-started");
  }

  @Test
  void doesNotMindWhatItsClientsCallIt() throws Exception {
    start();
    RawClient client =
        client(
            new RawClient(
                registration, URLEncoder.encode(registration.toString(), StandardCharsets.UTF_8)));

    byte[] info = client.call("pluginregistration.Registration/GetInfo", new byte[0]);

    assertThat(new String(info, StandardCharsets.UTF_8)).contains(NAME);
  }

  @Test
  void tellsTheDriverThatItsCallerHasGivenUp() throws Exception {
    start();
    driver.blocking = true;
    ClientCall<EndLifecycleTransitionRequest, LifecycleTransitionResponse> call =
        client(service)
            .channel()
            .newCall(SLMPluginGrpc.getEndLifecycleTransitionMethod(), CallOptions.DEFAULT);
    Future<LifecycleTransitionResponse> answer =
        ClientCalls.futureUnaryCall(call, EndLifecycleTransitionRequest.getDefaultInstance());
    Eventually.inRealTime().until(() -> !driver.ends.isEmpty());

    answer.cancel(true);

    assertThat(driver.cancelled.await(2, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void tellsTheDriverThatTimeIsOver() throws Exception {
    start();
    driver.blocking = true;

    RawClient client = client(service);

    Eventually.inRealTime() // the time may be over before the call has come to the driver
        .untilAsserted(
            () -> {
              assertThatThrownBy(
                      () ->
                          SLMPluginGrpc.newBlockingStub(client.channel())
                              .withDeadlineAfter(300, TimeUnit.MILLISECONDS)
                              .endLifecycleTransition(
                                  EndLifecycleTransitionRequest.getDefaultInstance()))
                  .satisfies(
                      failure ->
                          assertThat(code(failure)).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
              assertThat(driver.ends).isNotEmpty();
            });

    assertThat(driver.cancelled.await(2, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void endsCallsUnderWayWhenItCloses() throws Exception {
    PluginServer server = start();
    driver.blocking = true;
    Future<LifecycleTransitionResponse> answer =
        SLMPluginGrpc.newFutureStub(client(service).channel())
            .endLifecycleTransition(EndLifecycleTransitionRequest.getDefaultInstance());
    Eventually.inRealTime().until(() -> !driver.ends.isEmpty());

    server.close();

    assertThat(driver.cancelled.await(2, TimeUnit.MINUTES)).isTrue();
    assertThatThrownBy(() -> answer.get(2, TimeUnit.MINUTES))
        .hasCauseInstanceOf(StatusRuntimeException.class);
  }

  @Test
  void tellsTheCallerWhatItDidWrongAndThatTheDriverFailed() throws Exception {
    Driver broken =
        new Driver() {
          @Override
          public CompletableFuture<LifecycleTransitionResponse> start(
              StartLifecycleTransitionRequest request) {
            throw new IllegalArgumentException("no transition begins with that");
          }

          @Override
          public CompletableFuture<LifecycleTransitionResponse> end(
              EndLifecycleTransitionRequest request) {
            throw new IllegalStateException("the driver is broken");
          }
        };
    opened.add(PluginServer.start(NAME, folders, broken, (registered, error) -> {}));

    assertThatThrownBy(this::startDrain)
        .hasMessage("INVALID_ARGUMENT: no transition begins with that");
    assertThatThrownBy(
            () ->
                SLMPluginGrpc.newBlockingStub(client(service).channel())
                    .endLifecycleTransition(EndLifecycleTransitionRequest.getDefaultInstance()))
        .satisfies(failure -> assertThat(code(failure)).isEqualTo(Status.Code.INTERNAL))
        .hasMessageContaining("the driver is broken");
  }

  @Test
  void servesOnAfterGarbageAndAfterMessagesThatAreTooLarge() throws Exception {
    start();
    for (Path socket : List.of(service, registration)) {
      try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        channel.write(StandardCharsets.UTF_8.encode("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
      }
    }
    String tooLarge = "x".repeat(5 << 20);

    assertThatThrownBy(
            () ->
                SLMPluginGrpc.newBlockingStub(client(service).channel())
                    .startLifecycleTransition(
                        StartLifecycleTransitionRequest.newBuilder()
                            .setStart("drain-started")
                            .setEventName(tooLarge)
                            .build()))
        .satisfies(refused -> assertThat(code(refused)).isEqualTo(Status.Code.RESOURCE_EXHAUSTED))
        .message()
        .hasLineCount(1)
        .contains("exceeds maximum size");
    assertThat(driver.starts).isEmpty();
    assertThat(info().getName()).isEqualTo(NAME);
    assertThat(startDrain().getLifecycleCondition()).isEqualTo("drain-started");
  }

  @Test
  void refusesAPathThatTheKernelDoesNotTake() {
    folders =
        new PluginServer.SocketFolders(
            folder.resolve("x".repeat(107)), folders.registrationFolder());

    assertThatThrownBy(this::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("slm.sock: the path has")
        .hasMessageContaining("a socket's may have 107")
        .message()
        .doesNotContain("\n");
    assertThat(folders.dataFolder()).doesNotExist();
  }

  @Test
  void listensAtTheLongestPathThatTheKernelTakes() throws Exception {
    int room = UnixServer.LONGEST_PATH - folder.toString().length() - 1;
    Path longest = folder.resolve("s".repeat(room));

    try (UnixServer server = UnixServer.listen(longest, List.of())) {
      assertThat(server.socket()).isEqualTo(longest);
      assertThat(longest).exists();
    }
    assertThatThrownBy(() -> UnixServer.listen(folder.resolve("s".repeat(room + 1)), List.of()))
        .hasMessageContaining("108 bytes");
  }

  @Test
  void refusesToRemoveWhatIsNoSocket() throws Exception {
    Files.createDirectories(dataFolder);
    Files.writeString(service, "precious");

    assertThatThrownBy(this::start)
        .isInstanceOf(IOException.class)
        .hasMessage("cannot listen at %s: the path exists and is not a socket", service);
    assertThat(service).hasContent("precious");
    assertThat(registration).doesNotExist();
  }

  @Test
  void removesItsServiceIfItCannotRegister() throws Exception {
    Files.writeString(folders.registrationFolder(), "not a folder");

    assertThatThrownBy(this::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot make folder %s:", folders.registrationFolder());
    assertThat(service).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".hidden", "..", "a/b", "a b"})
  void refusesNamesThatCannotBeFiles(String name) {
    assertThatThrownBy(() -> PluginServer.start(name, folders, driver, (registered, error) -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("invalid driver name '%s': use", name);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void refusesSocketsThatKubeletsPassOver() {
    assertThatThrownBy(() -> UnixServer.listen(folder.resolve(".sock"), List.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("begin with a dot");
  }

  @Test
  void keepsNoProcessFromEnding() throws Exception {
    start();

    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("unix-sockets"))
        .isNotEmpty()
        .allMatch(Thread::isDaemon);
  }

  private PluginServer start() throws IOException {
    PluginServer server =
        PluginServer.start(
            NAME, folders, driver, (registered, error) -> verdicts.add(registered + " " + error));
    opened.add(server);
    return server;
  }

  private PluginInfo info() {
    return RegistrationGrpc.newBlockingStub(client(registration).channel())
        .getInfo(InfoRequest.getDefaultInstance());
  }

  private LifecycleTransitionResponse startDrain() {
    return SLMPluginGrpc.newBlockingStub(client(service).channel())
        .startLifecycleTransition(
            StartLifecycleTransitionRequest.newBuilder().setStart("drain-started").build());
  }

  private RawClient client(Path socket) {
    return client(new RawClient(socket));
  }

  private RawClient client(RawClient client) {
    opened.add(client);
    return client;
  }

  private static WatchKey watch(Path watched, WatchService watcher, WatchEvent.Kind<Path> kind)
      throws IOException {
    return watched.register(watcher, kind);
  }

  private static void leaveSocket(Path path) throws IOException {
    Files.createDirectories(path.getParent());
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(path));
    }
    assertThat(path).exists();
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static Status.Code code(Throwable failure) {
    return Status.fromThrowable(failure).getCode();
  }
}
