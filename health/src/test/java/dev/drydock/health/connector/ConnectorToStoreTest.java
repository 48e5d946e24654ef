package dev.drydock.health.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.ingest.CentralIngest;
import dev.drydock.health.ingest.decide.IngestDecider;
import dev.drydock.health.spool.Spool;
import dev.drydock.health.spool.SpoolFull;
import dev.drydock.health.spool.SpoolLimits;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.health.transform.TransformPipeline;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.Kube;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.TcpChannels;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.serve.socket.UnixSockets;
import dev.drydock.serve.token.TokenReview;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.Eventually;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a monitor's call on the socket to the event store. */
class ConnectorToStoreTest {
  private static final String NODE = "node-1";
  private static final String MONITOR = "system:serviceaccount:monitoring:csp-monitor";
  private static final String AGENT = "system:serviceaccount:drydock-system:drydock-agent";

  private static final String DIRECT = "system:serviceaccount:monitoring:direct";

  private static final int LARGEST_MESSAGE = 2 << 20;

  private static final TcpServer.Limits LIMITS =
      new TcpServer.Limits(
          LARGEST_MESSAGE, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1));

  @TempDir private Path folder;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final FakeApi api =
      new FakeApi()
          .token("cross", new FakeApi.Account(MONITOR, "pod-7", NODE))
          .token("elsewhere", new FakeApi.Account(MONITOR, "pod-8", "node-9"))
          .token("local", new FakeApi.Account("system:serviceaccount:a:b", "pod-9", NODE))
          .token("direct", new FakeApi.Account(DIRECT, "pod-5", NODE))
          .token("agent", new FakeApi.Account(AGENT, "pod-1", NODE));
  private Kube kube;
  private EmbeddedStore store;
  private TcpServer central;
  private RunningConnector connector;
  private ManagedChannel channel;
  private EventIntake intake = EventIntake.PLAIN;
  private volatile boolean storeDown;

  @BeforeEach
  void start() throws IOException {
    kube = api.kube();
    store = EmbeddedStore.open(folder.resolve("store"), TimeSource.REAL);
    central = central(Ports.free());
    Files.writeString(folder.resolve("token"), "agent\n");
    connector = connector(1 << 20);
    channel =
        UnixSockets.channel(
            folder.resolve("c.sock"), MetadataUtils.newAttachHeadersInterceptor(new Metadata()));
  }

  private TcpServer central(int port) throws IOException {
    CentralIngest ingest =
        new CentralIngest(
            new IngestDecider(Set.of(AGENT), Set.of(DIRECT)),
            new TokenReview(kube, List.of("aud"))::authenticate,
            interruptible(store),
            intake,
            meters);
    return TcpServer.listen(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        Optional.empty(),
        LIMITS,
        List.of(ingest.service()));
  }

  /** A store that does not answer while {@link #storeDown}. */
  private EventStore interruptible(EventStore whole) {
    return (EventStore)
        Proxy.newProxyInstance(
            EventStore.class.getClassLoader(),
            new Class<?>[] {EventStore.class},
            (_, method, arguments) -> {
              if (storeDown) {
                throw new StoreUnavailable("down", new IOException("down"));
              }
              return method.invoke(whole, arguments);
            });
  }

  private RunningConnector connector(long spoolBytes) throws IOException {
    ConnectorConfig config =
        new ConnectorConfig(
            List.of(), new ConnectorConfig.Auth(true, "aud", Set.of(MONITOR), false, false), true);
    return RunningConnector.start(
        kube,
        NODE,
        meters,
        new ConnectorSettings(
            folder.resolve("c.sock"),
            config,
            folder.resolve("spool"),
            SpoolLimits.of(spoolBytes, Duration.ZERO),
            new Forwarder.Target(
                "127.0.0.1:" + central.port(),
                Optional.empty(),
                Optional.of(folder.resolve("token"))),
            Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            Optional.empty()));
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    connector.close();
    central.close();
    store.close();
    kube.close();
  }

  private static HealthEvent event(String node, String message) {
    return HealthEvent.builder()
        .version(1)
        .agent("m")
        .checkName("Check")
        .message(message)
        .nodeName(node)
        .build();
  }

  private void send(Optional<String> token, HealthEvent... events) {
    Metadata headers = new Metadata();
    token.ifPresent(each -> headers.put(CallHeaders.AUTHORIZATION, "Bearer " + each));
    var _ =
        PlatformConnectorGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
            .healthEventOccurredV1(EventMessages.batch(List.of(events)));
  }

  private void send(HealthEvent... events) {
    send(Optional.empty(), events);
  }

  private Status refused(Optional<String> token, HealthEvent... events) {
    return catchThrowableOfType(StatusRuntimeException.class, () -> send(token, events))
        .getStatus();
  }

  private List<StoredEvent> stored(int count) {
    return Eventually.inRealTime()
        .until(() -> store.query(EventQuery.ALL.atMost(100_000)), all -> all.size() >= count);
  }

  private static List<String> messages(List<StoredEvent> events) {
    return events.stream().map(each -> each.event().message()).toList();
  }

  @Test
  void everyUserMayCallTheSocket() throws IOException {
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("c.sock"))))
        .isEqualTo("rw-rw-rw-");
  }

  @Test
  void aClientWrittenFromTheTableOfFieldsIsUnderstood() {
    HandWritten event =
        new HandWritten()
            .number(1, 1)
            .text(2, "gpu-health-monitor")
            .text(3, "GPU")
            .text(4, "GpuXidError")
            .number(5, 1)
            .number(6, 0)
            .text(7, "XID 79")
            .number(8, 27)
            .text(9, "79")
            .text(9, "48")
            .message(10, new HandWritten().text(1, "GPU").text(2, "GPU-123"))
            .message(11, new HandWritten().text(1, "rack").text(2, "r7"))
            .message(12, new HandWritten().number(1, 1_767_323_045L).number(2, 123))
            .text(13, NODE)
            .message(14, new HandWritten().number(1, 1))
            .message(15, new HandWritten().number(2, 1))
            .number(16, 1)
            .text(17, "")
            .text(18, "replace-cable");
    byte[] request = new HandWritten().number(1, 1).message(2, event).bytes();

    byte[] answer =
        ClientCalls.blockingUnaryCall(channel, HandWritten.METHOD, CallOptions.DEFAULT, request);

    assertThat(answer).as("google.protobuf.Empty").isEmpty();
    HealthEvent stored = stored(1).getFirst().event();
    assertThat(
            stored.toBuilder()
                .id("")
                .withoutMetadata(HealthNames.IDEMPOTENCY_KEY)
                .withoutMetadata(HealthNames.TRACE_ID)
                .build())
        .isEqualTo(
            new HealthEvent(
                1,
                "gpu-health-monitor",
                "GPU",
                "GpuXidError",
                true,
                false,
                "XID 79",
                RecommendedAction.CUSTOM,
                List.of("79", "48"),
                List.of(new ImpactedEntity("GPU", "GPU-123")),
                Map.of("rack", "r7"),
                Instant.ofEpochSecond(1_767_323_045L, 123),
                NODE,
                new BehaviourOverrides(true, false),
                new BehaviourOverrides(false, true),
                ProcessingStrategy.EXECUTE_REMEDIATION,
                "",
                "replace-cable"));
    assertThat(stored.metadata().get(HealthNames.TRACE_ID)).matches("[0-9a-f]{32}");
  }

  @Test
  void manyEventsThatFitTheSocketAreForwardedAlthoughTheirKeysMakeThemTooLargeForOneCall()
      throws IOException {
    connector.close();
    connector = connector(64 << 20);
    int count = LARGEST_MESSAGE / 100;

    send(
        IntStream.range(0, count)
            .mapToObj(_ -> HealthEvent.builder().checkName("c").build())
            .toArray(HealthEvent[]::new));
    send(event(NODE, "after them"));

    Eventually.inRealTime().until(() -> store.count(), stored -> stored == count + 1);
  }

  @Test
  void aBatchThatCannotBeReadIsPutAsideAndKeepsNobodyWaiting() throws IOException {
    connector.close();
    try (Spool spool =
        Spool.open(folder.resolve("spool"), SpoolLimits.of(1 << 20, Duration.ZERO), kube.clock())) {
      spool.append(new byte[] {-1, -1, -1});
    } catch (SpoolFull full) {
      throw new AssertionError(full);
    }
    connector = connector(1 << 20);

    send(event(NODE, "after it"));

    assertThat(messages(stored(1))).containsExactly("after it");
    assertThat(folder.resolve("spool").resolve("refused-1"))
        .hasBinaryContent(new byte[] {-1, -1, -1});
  }

  @Test
  void oneBadEventRefusesItsBatchAndTheNextGoodOneIsTaken() {
    HealthEvent custom =
        event(NODE, "custom").toBuilder().recommendedAction(RecommendedAction.CUSTOM).build();

    Status status = refused(Optional.empty(), event(NODE, "good"), custom);
    send(event(NODE, "next"));

    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(status.getDescription()).contains("customRecommendedAction", "event 1");
    assertThat(messages(stored(1))).containsExactly("next");
  }

  @Test
  void theIngestTransformsWhatMonitorsSendToItAndNotWhatConnectorsDid() throws IOException {
    int port = central.port();
    central.close();
    intake =
        new EventIntake(
            new TransformPipeline(
                List.of(
                    new TransformPipeline.Stage(
                        "test",
                        event ->
                            event.toBuilder()
                                .metadata("central", "yes")
                                .metadata(HealthNames.IDEMPOTENCY_KEY, "forged")
                                .build()))),
            _ -> {});
    central = central(port);
    Metadata headers = new Metadata();
    headers.put(CallHeaders.AUTHORIZATION, "Bearer direct");
    headers.put(CallHeaders.IDEMPOTENCY_KEY, "k");
    ManagedChannel direct = TcpChannels.channel("127.0.0.1:" + port, Optional.empty());
    try {
      var _ =
          PlatformConnectorGrpc.newBlockingStub(direct)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
              .healthEventOccurredV1(EventMessages.batch(List.of(event("", "direct"))));
    } finally {
      direct.shutdownNow();
    }
    send(event(NODE, "forwarded"));

    List<StoredEvent> both = stored(2);
    assertThat(messages(both)).containsExactly("direct", "forwarded");
    assertThat(both.getFirst().event().nodeName()).isEqualTo(NODE);
    assertThat(both.getFirst().event().metadata())
        .containsEntry("central", "yes")
        .containsEntry(HealthNames.IDEMPOTENCY_KEY, "pod-5#k#0");
    assertThat(both.getLast().event().metadata()).doesNotContainKey("central");
    assertThat(
            meters.counter("platform_connector_auth_decisions", "decision", "cross_node").count())
        .as("the connector's call")
        .isEqualTo(1);
  }

  @Test
  void aBatchThatIsSentAgainIsStoredOnceAlsoAfterARestart() throws IOException {
    HealthEvent timed =
        event(NODE, "timed").toBuilder()
            .generatedTimestamp(Instant.ofEpochSecond(1_767_323_045L, 7))
            .metadata("a", "1")
            .metadata("b", "2")
            .build();
    HealthEvent later =
        timed.toBuilder().generatedTimestamp(Instant.ofEpochSecond(1_767_323_046L)).build();
    HealthEvent untimed = event(NODE, "untimed");

    send(timed, timed.toBuilder().message("second").build());
    send(timed, timed.toBuilder().message("second").build());
    connector.close();
    connector = connector(1 << 20);
    send(timed, timed.toBuilder().message("second").build());
    send(later);
    send(untimed);
    send(untimed);

    assertThat(messages(stored(5)))
        .containsExactly("timed", "second", "timed", "untimed", "untimed");
  }

  @Test
  void callersAreHeldToTheirNode() {
    assertThat(refused(Optional.empty(), event("node-2", "forged")).getCode())
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused(Optional.of("local"), event("node-2", "forged")).getCode())
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused(Optional.of("forged"), event(NODE, "x")).getCode())
        .isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(refused(Optional.of("elsewhere"), event(NODE, "x")).getDescription())
        .contains("node-9");
    assertThat(refused(Optional.of("cross"), event("", "x")).getCode())
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
    send(Optional.of("cross"), event("node-2", "about another"));
    send(event("", "about this one"));

    assertThat(stored(2))
        .extracting(each -> each.event().nodeName())
        .containsExactly("node-2", NODE);
    assertThat(
            meters.counter("platform_connector_auth_violations", "reason", "node_mismatch").count())
        .isEqualTo(2);
  }

  @Test
  void withoutTheApiServerCallersWithoutATokenGoOn() {
    api.down(true);
    Status status = refused(Optional.of("new-token"), event(NODE, "x"));
    send(event(NODE, "local"));
    api.down(false);

    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(messages(stored(1))).containsExactly("local");
  }

  @Test
  void garbageAndTooLongMessagesAreAnsweredAndTheNextEventIsTaken() {
    StatusRuntimeException garbage =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                ClientCalls.blockingUnaryCall(
                    channel,
                    HandWritten.METHOD,
                    CallOptions.DEFAULT,
                    new byte[] {(byte) 0xff, (byte) 0xff, 1, 2, 3}));
    StatusRuntimeException tooLong =
        catchThrowableOfType(
            StatusRuntimeException.class, () -> send(event(NODE, "x".repeat(5 << 20))));
    send(event(NODE, "good"));

    assertThat(garbage.getStatus().getCode()).isNotEqualTo(Status.Code.OK);
    assertThat(tooLong.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(messages(stored(1))).containsExactly("good");
  }

  @Test
  void whileTheStoreIsDownEventsWaitOnTheNodeAndThenAreStored() throws IOException {
    connector.close();
    connector = connector(1 << 16);
    storeDown = true;
    List<String> taken = new ArrayList<>();
    Status pushedBack = null;
    while (pushedBack == null) {
      try {
        String message = "m" + taken.size();
        send(event(NODE, message), event(NODE, message + "x".repeat(500)));
        taken.add(message);
      } catch (StatusRuntimeException full) {
        pushedBack = full.getStatus();
      }
    }
    assertThat(pushedBack.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(store.count()).isZero();
    storeDown = false;

    List<StoredEvent> all = stored(2 * taken.size());
    assertThat(messages(all).stream().filter(message -> !message.contains("x")))
        .containsExactlyElementsOf(taken);
    assertThat(all).hasSize(2 * taken.size());
  }

  @Test
  void anOutageIsPushedBackAndNothingIsLostOrTakenTwice() throws IOException {
    connector.close();
    connector = connector(1 << 16);
    int port = central.port();
    central.close();
    int taken = 0;
    Status pushedBack = null;
    while (pushedBack == null) {
      try {
        send(event(NODE, "m" + taken), event(NODE, "n" + taken + "x".repeat(500)));
        taken++;
      } catch (StatusRuntimeException full) {
        pushedBack = full.getStatus();
      }
    }
    assertThat(pushedBack.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(pushedBack.getDescription()).contains("full");
    assertThat(taken).isGreaterThan(50);

    // a new process finds what the one before has left
    connector.close();
    central = central(port);
    connector = connector(1 << 16);

    List<StoredEvent> all = stored(2 * taken);
    assertThat(all).hasSize(2 * taken);
    assertThat(messages(all).stream().filter(message -> message.startsWith("m")))
        .containsExactlyElementsOf(IntStream.range(0, taken).mapToObj(i -> "m" + i).toList());
    assertThat(all)
        .extracting(each -> each.event().metadata().get(HealthNames.IDEMPOTENCY_KEY))
        .doesNotHaveDuplicates();
    Eventually.inRealTime()
        .untilAsserted(
            () -> {
              send(event(NODE, "again"));
              assertThat(messages(store.query(EventQuery.ALL.newest().atMost(5))))
                  .contains("again");
            });
  }
}
