package dev.drydock.health.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.ingest.CentralIngest;
import dev.drydock.health.spool.SpoolLimits;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.TcpRelay;
import dev.drydock.health.store.postgresql.PostgresServer;
import dev.drydock.health.store.postgresql.PostgresStore;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.Kube;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.TcpChannels;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.serve.socket.UnixSockets;
import dev.drydock.testkit.Eventually;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The database is away while connector and ingest run: the spool keeps, callers are pushed back.
 */
class StoreOutageTest {
  private static final String NODE = "node-1";

  @TempDir private Path folder;

  private static HealthEvent event(String message) {
    return HealthEvent.builder().nodeName(NODE).message(message).build();
  }

  private static void send(ManagedChannel channel, HealthEvent event) {
    var _ =
        PlatformConnectorGrpc.newBlockingStub(channel)
            .healthEventOccurredV1(EventMessages.batch(List.of(event)));
  }

  @Test
  void nothingIsLostOrStoredTwiceAndBackPressureIsSeen() throws Exception {
    PostgresServer server = PostgresServer.shared();
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    try (Kube kube = new FakeApi().kube();
        TcpRelay relay = new TcpRelay(server.port());
        PostgresStore store =
            PostgresStore.open(server.config(server.newDatabase(), relay.port()), TimeSource.REAL);
        TcpServer central = central(store, meters);
        RunningConnector connector = connector(kube, central.port(), meters)) {
      assertThat(connector.unready()).isEmpty();
      ManagedChannel socket =
          UnixSockets.channel(
              folder.resolve("c.sock"), MetadataUtils.newAttachHeadersInterceptor(new Metadata()));
      ManagedChannel direct = TcpChannels.channel("127.0.0.1:" + central.port(), Optional.empty());
      send(socket, event("m0"));
      Eventually.inRealTime().until(() -> store.query(EventQuery.ALL).size() == 1);

      relay.cut();
      int taken = 1;
      Status pushedBack = null;
      while (pushedBack == null) {
        try {
          send(socket, event("m" + taken + " " + "x".repeat(1000)));
          taken++;
        } catch (StatusRuntimeException full) {
          pushedBack = full.getStatus();
        }
      }
      Metadata key = new Metadata();
      key.put(Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), "direct-1");
      StatusRuntimeException refused =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  PlatformConnectorGrpc.newBlockingStub(direct)
                      .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(key))
                      .healthEventOccurredV1(EventMessages.batch(List.of(event("direct")))));

      assertThat(pushedBack.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(taken).isGreaterThan(30);
      assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      relay.mend();

      int all = taken;
      List<StoredEvent> stored =
          Eventually.inRealTime()
              .until(() -> store.query(EventQuery.ALL), events -> events.size() >= all);
      assertThat(stored)
          .extracting(each -> each.event().message().split(" ", -1)[0])
          .containsExactlyElementsOf(IntStream.range(0, all).mapToObj(i -> "m" + i).toList());
      assertThat(stored)
          .extracting(each -> each.event().metadata().get(HealthNames.IDEMPOTENCY_KEY))
          .doesNotHaveDuplicates();
      socket.shutdownNow();
      direct.shutdownNow();
    }
  }

  private static TcpServer central(PostgresStore store, SimpleMeterRegistry meters)
      throws Exception {
    return TcpServer.listen(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Optional.empty(),
        new TcpServer.Limits(
            4 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1)),
        List.of(CentralIngest.unchecked(store, EventIntake.PLAIN, meters).service()));
  }

  private RunningConnector connector(Kube kube, int port, SimpleMeterRegistry meters)
      throws Exception {
    return RunningConnector.start(
        kube,
        NODE,
        meters,
        new ConnectorSettings(
            folder.resolve("c.sock"),
            ConnectorConfig.DEFAULT,
            folder.resolve("spool"),
            SpoolLimits.of(1 << 16, Duration.ZERO),
            new Forwarder.Target("127.0.0.1:" + port, Optional.empty(), Optional.empty()),
            Optional.empty(),
            Optional.empty()));
  }
}
