package dev.drydock.lifecycle.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.kube.Kube;
import dev.drydock.kube.LoopHealth;
import dev.drydock.lifecycle.pluginregistration.InfoRequest;
import dev.drydock.lifecycle.pluginregistration.PluginInfo;
import dev.drydock.lifecycle.pluginregistration.RegistrationGrpc;
import dev.drydock.lifecycle.pluginregistration.RegistrationStatus;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import dev.drydock.serve.socket.SocketFolder;
import dev.drydock.serve.socket.UnixServer;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.LoopBug;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginRegistryTest {
  private static final String NAME = "drain.example";
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private final Kube kube = NoCluster.kubeAt(NOW);
  private final RecordingDriver driver = new RecordingDriver();
  private final List<String> verdicts = new CopyOnWriteArrayList<>();
  private final AtomicInteger changes = new AtomicInteger();
  private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
  @TempDir private Path folder;
  private PluginServer.SocketFolders folders;
  private PluginRegistry registry;

  @BeforeEach
  void registry() {
    folders = new PluginServer.SocketFolders(folder.resolve("plugins"), folder.resolve("registry"));
    registry = new PluginRegistry(kube, folders.registrationFolder(), changes::incrementAndGet);
    opened.add(kube);
    opened.add(registry);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  @Test
  void findsDriversThatAreThereAlready() throws Exception {
    serve(NAME);

    registry.start();

    awaitPresent(NAME);
    assertThat(registry.drivers())
        .containsOnlyKeys(NAME)
        .containsValue(
            new PluginRegistry.Found(NAME, endpoint(NAME), Optional.empty(), Optional.empty()));
    patiently().until(() -> changes.get() == 1);
  }

  @Test
  void findsDriversThatComeLater() throws Exception {
    registry.start();
    assertThat(registry.drivers()).isEmpty();

    serve(NAME);
    serve("other.example");

    awaitPresent(NAME);
    awaitPresent("other.example");
  }

  @Test
  void startsAndEndsTransitions() throws Exception {
    serve(NAME);
    registry.start();
    awaitPresent(NAME);

    LifecycleTransitionResponse begun = startDrain(NAME).get(2, TimeUnit.MINUTES);
    LifecycleTransitionResponse ended =
        registry
            .end(NAME, EndLifecycleTransitionRequest.newBuilder().setEnd("drain-complete").build())
            .get(2, TimeUnit.MINUTES);

    assertThat(begun.getLifecycleCondition()).isEqualTo("drain-started");
    assertThat(ended.getLifecycleCondition()).isEqualTo("drain-complete");
  }

  @Test
  void remembersDriversThatAreGone() throws Exception {
    PluginServer server = serve(NAME);
    registry.start();
    awaitPresent(NAME);

    server.close();

    // the connection may be lost before the socket is seen to be gone
    patiently()
        .untilAsserted(
            () ->
                assertThat(registry.drivers())
                    .containsValue(
                        new PluginRegistry.Found(
                            NAME, endpoint(NAME), Optional.of(NOW), Optional.of(NOW))));
    assertThat(failure(startDrain(NAME)).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void findsADriverThatWasRestarted() throws Exception {
    PluginServer server = serve(NAME);
    registry.start();
    awaitPresent(NAME);

    server.close();
    awaitGone(NAME);
    serve(NAME);

    awaitPresent(NAME);
    assertThat(startDrain(NAME).get(2, TimeUnit.MINUTES).getLifecycleCondition())
        .isEqualTo("drain-started");
  }

  @Test
  void goesOverToADriverThatTookThePlaceOfAnother() throws Exception {
    PluginServer old = serve(NAME);
    registry.start();
    awaitPresent(NAME);
    RecordingDriver successor = new RecordingDriver();

    opened.add(PluginServer.start(NAME, folders, successor, (registered, error) -> {}));
    old.close();

    patiently()
        .untilAsserted(
            () -> {
              startDrain(NAME).get(2, TimeUnit.MINUTES);
              assertThat(successor.starts).isNotEmpty();
            });
  }

  @Test
  void noticesADriverThatDiedAndItsReturn() throws Exception {
    Path endpoint = folder.resolve("service.sock");
    UnixServer service = listen(endpoint);
    register("a.sock", GrpcServices.info(NAME, endpoint.toString()));
    registry.start();
    awaitPresent(NAME);
    startDrain(NAME).get(2, TimeUnit.MINUTES);

    service.close();
    awaitGone(NAME);
    listen(endpoint);

    patiently()
        .untilAsserted(
            () ->
                assertThat(startDrain(NAME).get(2, TimeUnit.MINUTES).getLifecycleCondition())
                    .isEqualTo("drain-started"));
    awaitPresent(NAME);
  }

  @Test
  void prefersTheNewestOfTwoEndpointsAndFallsBack() throws Exception {
    Path first = folder.resolve("1.sock");
    Path second = folder.resolve("2.sock");
    listen(first);
    listen(second);
    registry.start();

    register("z.sock", GrpcServices.info(NAME, first.toString()));
    awaitEndpoint(first);
    UnixServer newest = register("a.sock", GrpcServices.info(NAME, second.toString()));
    awaitEndpoint(second);
    newest.close();

    awaitEndpoint(first);
    assertThat(isPresent(NAME)).isTrue();
  }

  @Test
  void refusesAnEndpointThatIsTakenUntilItIsFree() throws Exception {
    Path endpoint = folder.resolve("service.sock");
    listen(endpoint);
    registry.start();
    UnixServer first = register("first.sock", GrpcServices.info(NAME, endpoint.toString()));
    awaitPresent(NAME);
    patiently().until(() -> verdicts.contains("first.sock true  CLAIMER"));

    register("second.sock", GrpcServices.info("other.example", endpoint.toString()));

    String refusal =
        "second.sock false endpoint %s is registered by first.sock already CLAIMER"
            .formatted(endpoint);
    patiently().until(() -> verdicts.contains(refusal));
    assertThat(registry.drivers()).containsOnlyKeys(NAME);

    first.close();

    awaitPresent("other.example");
    awaitGone(NAME);
  }

  @Test
  void passesOverWhatIsNotADriver() throws Exception {
    registry.start();
    PluginInfo driverInfo = GrpcServices.info("x.example", folder.resolve("x.sock").toString());
    register("storage.sock", driverInfo.toBuilder().setType("CSIPlugin").build());
    register(
        "future.sock",
        driverInfo.toBuilder().clearSupportedVersions().addSupportedVersions("v9").build());
    Files.writeString(folders.registrationFolder().resolve("notes.txt"), "no socket");
    Files.createDirectory(folders.registrationFolder().resolve("folder"));

    serve(NAME);

    awaitPresent(NAME);
    assertThat(registry.drivers()).containsOnlyKeys(NAME);
    assertThat(verdicts).isEmpty();
  }

  @Test
  void refusesADriverWithoutAName() throws Exception {
    registry.start();

    register("nameless.sock", GrpcServices.info("", folder.resolve("x.sock").toString()));

    patiently().until(() -> verdicts.contains("nameless.sock false a driver needs a name CLAIMER"));
    assertThat(registry.drivers()).isEmpty();
  }

  @Test
  void asksAgainWhereNobodyAnswersAtFirst() throws Exception {
    registry.start();
    AtomicInteger asked = new AtomicInteger();
    PluginInfo info = GrpcServices.info(NAME, endpoint(NAME).toString());

    opened.add(
        UnixServer.listen(
            folders.registrationFolder().resolve("slow.sock"),
            List.of(
                new RegistrationGrpc.RegistrationImplBase() {
                  @Override
                  public void getInfo(InfoRequest request, StreamObserver<PluginInfo> to) {
                    if (asked.incrementAndGet() < 3) {
                      to.onError(Status.UNAVAILABLE.asRuntimeException());
                    } else {
                      to.onNext(info);
                      to.onCompleted();
                    }
                  }
                }.bindService())));

    patiently().until(() -> registry.drivers().containsKey(NAME));
    assertThat(asked).hasValue(3);
    assertThat(health().retries()).isEqualTo(2);
    patiently().until(() -> health().failing().isEmpty());
  }

  @Test
  void showsASocketWithoutAProcessInHealthUntilItIsRemoved() throws Exception {
    registry.start();
    Path socket = folders.registrationFolder().resolve("dead.sock");
    try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(socket));
    }

    // the first try may have met it while it was open
    patiently()
        .untilAsserted(
            () ->
                assertThat(health().failing())
                    .containsExactly(
                        "registrations dead.sock: no answer at %s: no process listens there"
                            .formatted(socket)));
    serve(NAME);
    awaitPresent(NAME);
    Files.delete(socket);

    patiently().until(() -> health().failing().isEmpty());
    assertThat(registry.drivers()).containsOnlyKeys(NAME);
  }

  @Test
  void aBugAboutOneDriverHoldsUpNoOther() throws Exception {
    LoopBug bug = new LoopBug();
    Registrations registrations =
        new Registrations(
            kube,
            (name, endpoint) -> {
              if (name.equals("bad.example")) {
                bug.strike();
              }
              return new DriverConnection(name, endpoint, kube.clock(), () -> {});
            },
            () -> {});
    opened.add(registrations);
    SocketFolder watched = new SocketFolder(folders.registrationFolder(), registrations);
    opened.add(watched);
    watched.start();

    serve("bad.example");
    serve(NAME);

    bug.staysIn(
        "registrations",
        kube,
        patiently(),
        () ->
            assertThat(registrations.newest())
                .extracting(DriverConnection::name)
                .containsExactly(NAME),
        () ->
            assertThat(registrations.newest())
                .extracting(DriverConnection::name)
                .containsExactlyInAnyOrder(NAME, "bad.example"));
  }

  private LoopHealth health() {
    return kube.health().loops().stream()
        .filter(loop -> loop.name().equals("registrations"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void saysWhoItIsSoThatOnlyKubeletsAreHeard() throws Exception {
    serve(NAME);
    register("raw.sock", GrpcServices.info("raw.example", folder.resolve("x.sock").toString()));
    registry.start();
    awaitPresent(NAME);
    patiently().until(() -> verdicts.contains("raw.sock true  CLAIMER"));

    try (RawClient kubelet =
        new RawClient(folders.registrationFolder().resolve(NAME + "-reg.sock"))) {
      assertThatThrownBy(
              () ->
                  RegistrationGrpc.newBlockingStub(kubelet.channel())
                      .notifyRegistrationStatus(
                          RegistrationStatus.newBuilder().setError("no").build()))
          .hasMessage("UNKNOWN: registration failed: no");
    }

    assertThat(verdicts).containsExactlyInAnyOrder("raw.sock true  CLAIMER", "kubelet: false no");
  }

  @Test
  void aDriverThatDoesNotServeIsFoundAndNotConnected() throws Exception {
    register("raw.sock", GrpcServices.info("raw.example", folder.resolve("x.sock").toString()));
    registry.start();
    patiently().until(() -> registry.drivers().containsKey("raw.example"));

    assertThat(registry.drivers().values())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.presence().isConnected()).isFalse();
              assertThat(found.deregistered()).isEmpty();
            });
  }

  @Test
  void hasNothingToCallUntilADriverIsFound() throws Exception {
    registry.start();

    Status status = failure(startDrain("nobody.example"));

    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .isEqualTo("no driver nobody.example is registered on this node");
  }

  @Test
  void tellsTheDriverThatTheClaimerHasGivenUp() throws Exception {
    serve(NAME);
    registry.start();
    awaitPresent(NAME);
    driver.blocking = true;
    CompletableFuture<LifecycleTransitionResponse> answer =
        registry.end(NAME, EndLifecycleTransitionRequest.getDefaultInstance());
    patiently().until(() -> !driver.ends.isEmpty());

    answer.cancel(true);

    assertThat(driver.cancelled.await(2, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void letsACallUnderWayEndWhenItsDriverWithdraws() throws Exception {
    Path endpoint = folder.resolve("service.sock");
    listen(endpoint);
    UnixServer registration = register("a.sock", GrpcServices.info(NAME, endpoint.toString()));
    registry.start();
    awaitPresent(NAME);
    driver.blocking = true;
    CompletableFuture<LifecycleTransitionResponse> answer =
        registry.end(
            NAME, EndLifecycleTransitionRequest.newBuilder().setEnd("drain-complete").build());
    patiently().until(() -> !driver.ends.isEmpty());

    registration.close();
    awaitGone(NAME);
    driver.cancelled.countDown();

    assertThat(answer.get(2, TimeUnit.MINUTES).getLifecycleCondition()).isEqualTo("drain-complete");
  }

  @Test
  void watchesAFolderThatWasRemovedAndMadeAnew() throws Exception {
    PluginServer server = serve(NAME);
    registry.start();
    awaitPresent(NAME);
    server.close();
    awaitGone(NAME);

    Files.delete(folders.registrationFolder());
    patiently().until(() -> Files.isDirectory(folders.registrationFolder()));
    serve(NAME);

    awaitPresent(NAME);
  }

  @Test
  void tellsOfADriverThatGoesWhenItHasBeenFound() throws Exception {
    registry.start();
    PluginServer server = serve(NAME);
    awaitPresent(NAME);
    patiently().until(() -> changes.get() == 1);

    server.close();

    patiently().until(() -> changes.get() >= 2 && !isPresent(NAME));
  }

  private PluginServer serve(String name) throws IOException {
    PluginServer server =
        PluginServer.start(
            name,
            folders,
            driver,
            (registered, error) -> verdicts.add("kubelet: " + registered + " " + error));
    opened.add(server);
    return server;
  }

  private UnixServer listen(Path endpoint) throws IOException {
    UnixServer server = UnixServer.listen(endpoint, GrpcServices.driver(driver));
    opened.add(server);
    return server;
  }

  private UnixServer register(String socket, PluginInfo info) throws IOException {
    UnixServer server =
        UnixServer.listen(
            folders.registrationFolder().resolve(socket),
            List.of(
                GrpcServices.registration(
                    info,
                    status ->
                        verdicts.add(
                            "%s %s %s %s"
                                .formatted(
                                    socket,
                                    status.getPluginRegistered(),
                                    status.getError(),
                                    Caller.current())))));
    opened.add(server);
    return server;
  }

  private CompletableFuture<LifecycleTransitionResponse> startDrain(String name) {
    return registry.start(
        name, StartLifecycleTransitionRequest.newBuilder().setStart("drain-started").build());
  }

  private static Status failure(CompletableFuture<?> future) {
    Status[] found = new Status[1];
    assertThatThrownBy(() -> future.get(2, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class)
        .satisfies(failure -> found[0] = Status.fromThrowable(failure));
    return found[0];
  }

  private Path endpoint(String name) {
    return folders.dataFolder().resolve(name).resolve("slm.sock");
  }

  private boolean isPresent(String name) {
    PluginRegistry.Found found = registry.drivers().get(name);
    return found != null && found.goneSince().isEmpty();
  }

  private void awaitPresent(String name) {
    patiently().until(() -> isPresent(name));
  }

  private void awaitGone(String name) {
    patiently().until(() -> registry.drivers().containsKey(name) && !isPresent(name));
  }

  private void awaitEndpoint(Path endpoint) {
    patiently()
        .until(
            () -> {
              PluginRegistry.Found found = registry.drivers().get(NAME);
              return found != null && found.endpoint().equals(endpoint);
            });
  }

  private static Eventually patiently() {
    return Eventually.inRealTime();
  }
}
