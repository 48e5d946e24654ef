package dev.drydock.health.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.health.connector.EventIntake;
import dev.drydock.health.connector.FakeApi;
import dev.drydock.health.operator.HealthSettings.StoreKind;
import dev.drydock.health.store.StoreMisconfigured;
import dev.drydock.health.store.TcpRelay;
import dev.drydock.health.store.postgresql.PostgresServer;
import dev.drydock.kube.Kube;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.Settings;
import dev.drydock.testkit.Eventually;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A leader that waits for its database, and which store is meant. */
class StoreOutageTest {
  private static OperatorContext context(Kube kube) {
    Map<Setting<?>, Object> settings = new HashMap<>();
    settings.put(HealthSettings.STORE_KIND, StoreKind.AUTO);
    settings.put(HealthSettings.STORE_FOLDER, Optional.empty());
    settings.put(HealthSettings.STORE_TTL, Duration.ofDays(30));
    settings.put(
        HealthSettings.INGEST_ADDRESS, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    settings.put(
        HealthSettings.LOG_ADDRESS, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    settings.put(HealthSettings.INGEST_INSECURE, true);
    settings.put(HealthSettings.INGEST_CONNECTORS, Set.of());
    settings.put(HealthSettings.INGEST_PUBLISHERS, Set.of());
    KubernetesClient unused =
        (KubernetesClient)
            Proxy.newProxyInstance(
                StoreOutageTest.class.getClassLoader(),
                new Class<?>[] {KubernetesClient.class},
                (_, method, _) -> {
                  throw new UnsupportedOperationException(method.getName());
                });
    return new OperatorContext(
        kube,
        unused,
        "nvsentinel",
        "test",
        new Settings(settings),
        new SimpleMeterRegistry(),
        List.of(),
        () -> true);
  }

  @Test
  void aLeaderIsReadyWhileItsStoreIsAndElseSaysWhatToDo() {
    PostgresServer server = PostgresServer.shared();
    try (Kube kube = new FakeApi().kube();
        TcpRelay relay = new TcpRelay(server.port())) {
      relay.cut();
      Map<String, String> environment =
          Map.of(
              "DATASTORE_PROVIDER",
              "postgresql",
              "DATASTORE_HOST",
              "127.0.0.1",
              "DATASTORE_PORT",
              Integer.toString(relay.port()),
              "DATASTORE_DATABASE",
              server.newDatabase(),
              "DATASTORE_USERNAME",
              "postgres",
              "DATASTORE_SSLMODE",
              "disable");
      try (IngestLeader leader = leader(context(kube), environment)) {
        assertThat(leader.unready()).isPresent();
        leader.start();
        awaitProblem(leader);
        assertThat(leader.port()).as("nothing is taken").isEmpty();

        relay.mend();
        Eventually.inRealTime()
            .until(() -> leader.unready().isEmpty() && leader.port().isPresent());

        relay.cut();
        awaitProblem(leader);
        relay.mend();
        Eventually.inRealTime().until(() -> leader.unready().isEmpty());
      }
    }
  }

  private static void awaitProblem(IngestLeader leader) {
    Eventually.inRealTime()
        .untilAsserted(
            () ->
                assertThat(leader.unready())
                    .hasValueSatisfying(
                        why -> assertThat(why).contains("does not answer", "$DATASTORE_HOST")));
  }

  @Test
  void theSettingOrTheVariablesOfTheOriginalSayWhichStoreIsMeant() {
    assertThat(EventStores.kind(StoreKind.AUTO, Map.of())).isEqualTo(StoreKind.EMBEDDED);
    assertThat(EventStores.kind(StoreKind.AUTO, Map.of("MONGODB_URI", "mongodb://db/")))
        .isEqualTo(StoreKind.MONGODB);
    assertThat(EventStores.kind(StoreKind.AUTO, Map.of("DATASTORE_PROVIDER", "PostgreSQL")))
        .isEqualTo(StoreKind.POSTGRESQL);
    assertThat(EventStores.kind(StoreKind.AUTO, Map.of("DATASTORE_YAML", "provider: mongodb")))
        .isEqualTo(StoreKind.MONGODB);
    assertThat(EventStores.kind(StoreKind.EMBEDDED, Map.of("DATASTORE_PROVIDER", "postgresql")))
        .isEqualTo(StoreKind.EMBEDDED);
    assertThatThrownBy(
            () -> EventStores.kind(StoreKind.AUTO, Map.of("DATASTORE_PROVIDER", "oracle")))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContainingAll("oracle", "mongodb or postgresql");
  }

  private static IngestLeader leader(OperatorContext context, Map<String, String> environment) {
    SharedEventStore store = SharedEventStore.of(context, environment, new LeaderTerm());
    return new IngestLeader(
        context,
        store.use(),
        EventIntake.PLAIN,
        new StoreWorkers(context.kube(), "ingest", store.use(), List.of()));
  }
}
