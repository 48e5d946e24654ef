package dev.drydock.health.store.served;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.drydock.health.connector.CallHeaders;
import dev.drydock.health.connector.FakeApi;
import dev.drydock.health.connector.Forwarder;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.health.store.served.decide.StoreClients;
import dev.drydock.kube.Kube;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.TcpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may use a served store. */
class StoreAccessTest {
  private static final String DRAINER = "system:serviceaccount:nvsentinel:node-drainer";

  @TempDir private Path folder;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final FakeApi api =
      new FakeApi()
          .token("drainer", new FakeApi.Account(DRAINER, "pod-1", "node-1"))
          .token("unbound", new FakeApi.Account(DRAINER, "", ""))
          .token("unscheduled", new FakeApi.Account(DRAINER, "pod-1", ""))
          .token("other", new FakeApi.Account("system:serviceaccount:a:b", "pod-2", "node-1"));
  private Kube kube;
  private EmbeddedStore store;
  private StoreService service;
  private TcpServer server;

  @BeforeEach
  void start() throws IOException {
    kube = api.kube();
    store = EmbeddedStore.open(folder.resolve("store"), TimeSource.REAL);
    service = new StoreService(store);
    server =
        TcpServer.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            new TcpServer.Limits(
                1 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1)),
            List.of(
                StoreAccess.guard(
                    service,
                    new StoreClients(Set.of(DRAINER)),
                    CallHeaders.TokenCheck.of(kube, "aud", 50),
                    meters)));
  }

  @AfterEach
  void stop() {
    service.close();
    server.close();
    store.close();
    kube.close();
  }

  private ServedStore connect(String token) throws IOException {
    Path file = Files.writeString(folder.resolve("token-" + token), token + "\n");
    return ServedStore.open(
        new Forwarder.Target(
            "127.0.0.1:" + server.port(),
            Optional.empty(),
            token.equals("none") ? Optional.empty() : Optional.of(file)),
        TimeSource.REAL);
  }

  @Test
  void aListedAccountInAPodIsLetInUntilItsTokenIsNoLongerValid() throws IOException {
    try (ServedStore client = connect("drainer")) {
      assertThat(client.count()).isZero();

      Files.writeString(folder.resolve("token-drainer"), "forged");

      StoreUnavailable refused =
          catchThrowableOfType(StoreUnavailable.class, () -> client.forget("c"));
      assertThat(refused).hasMessageContaining("UNAUTHENTICATED");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "none, UNAUTHENTICATED, token_missing",
    "forged, UNAUTHENTICATED, token_invalid",
    "other, PERMISSION_DENIED, identity_not_allowed",
    "unbound, PERMISSION_DENIED, unbound_token",
    "unscheduled, PERMISSION_DENIED, node_claim_absent"
  })
  void anybodyElseIsRefusedAndToldWhy(String token, String code, String reason) {
    StoreUnavailable refused =
        catchThrowableOfType(StoreUnavailable.class, () -> connect(token).close());

    assertThat(refused).hasMessageContaining(code);
    assertThat(meters.counter("drydock_event_store_refusals", "reason", reason).count())
        .isEqualTo(1);
  }

  @Test
  void withoutTheApiServerNobodyIsLetIn() {
    api.down(true);

    StoreUnavailable refused =
        catchThrowableOfType(StoreUnavailable.class, () -> connect("drainer").close());

    assertThat(refused).hasMessageContaining("UNAVAILABLE");
  }
}
