package dev.drydock.health.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.health.FaultQuarantineFeature;
import dev.drydock.health.FaultRemediationFeature;
import dev.drydock.health.IngestFeature;
import dev.drydock.health.MaintenanceRequestFeature;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.Kube;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Setting;
import dev.drydock.testkit.TestCluster;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedEventStoreTest {
  @TempDir private Path folder;

  private EventStore open(String name) {
    return EmbeddedStore.open(folder.resolve(name), TimeSource.REAL);
  }

  /** Does nothing but count how often it is closed. */
  private static EventStore counted(AtomicInteger closed) {
    return (EventStore)
        Proxy.newProxyInstance(
            EventStore.class.getClassLoader(),
            new Class<?>[] {EventStore.class},
            (_, method, _) -> method.getName().equals("close") ? closed.incrementAndGet() : 0L);
  }

  @Test
  void theFirstOpensItAndTheLastClosesIt() {
    AtomicInteger opened = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    SharedEventStore shared =
        new SharedEventStore(
            () -> {
              opened.incrementAndGet();
              return counted(closed);
            });
    SharedEventStore.Use first = shared.use();
    SharedEventStore.Use second = shared.use();
    first.get().count();
    second.get().count();
    first.get().count();
    assertThat(opened).hasValue(1);

    first.close();
    first.close();
    assertThat(closed).as("another has it").hasValue(0);
    assertThatThrownBy(first::get).hasMessageContaining("does not lead");
    second.close();
    assertThat(closed).hasValue(1);

    try (SharedEventStore.Use third = shared.use()) {
      third.get().count();
    }
    assertThat(opened).hasValue(2);
    assertThat(closed).hasValue(2);
  }

  @Test
  void oneThatCannotBeOpenedIsTriedAgain() {
    AtomicInteger tries = new AtomicInteger();
    SharedEventStore shared =
        new SharedEventStore(
            () -> {
              if (tries.incrementAndGet() == 1) {
                throw new StoreUnavailable("not yet", new IOException());
              }
              return open("s");
            });
    try (SharedEventStore.Use use = shared.use()) {
      assertThatThrownBy(use::get).hasMessage("not yet");
      assertThat(use.get().count()).isZero();
    }
  }

  /** The embedded store can be opened once, so all parts of a process have to share it. */
  @Test
  void allPartsOfAnOperatorHaveTheSameStore() throws Exception {
    LeaderTerm term = new LeaderTerm();
    try (TestCluster cluster = TestCluster.simulated()) {
      cluster.define(CrdCatalog.yaml() + "---\n" + CrdCatalog.yaml(CrdCatalog.ON_REQUEST));
      Kube kube = cluster.process().kube();
      List<Feature> features =
          List.of(
              new IngestFeature(),
              new FaultQuarantineFeature(),
              new FaultRemediationFeature(),
              new MaintenanceRequestFeature());
      Map<Setting<?>, Object> values = new HashMap<>();
      values.put(HealthSettings.STORE_KIND, HealthSettings.StoreKind.EMBEDDED);
      values.put(HealthSettings.STORE_FOLDER, Optional.of(folder.resolve("all")));
      values.put(HealthSettings.INGEST_INSECURE, true);
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      values.put(HealthSettings.INGEST_ADDRESS, any);
      values.put(HealthSettings.LOG_ADDRESS, any);
      OperatorContext context =
          FeatureDefaults.context(kube, cluster.client(), "default", features, values);
      List<OperatorPart> parts =
          features.stream().map(feature -> feature.operator(context)).toList();
      List<AutoCloseable> leading = new ArrayList<>();
      for (OperatorPart part : parts) {
        leading.add(part.lead(term));
      }
      cluster.pass(Duration.ofMinutes(1));
      assertThat(kube.health().degraded()).isEmpty();
      assertThat(parts).allSatisfy(part -> assertThat(part.unready()).isEmpty());
      parts.forEach(OperatorPart::refreshMetrics);
      term.close();
      for (AutoCloseable each : leading.reversed()) {
        each.close();
      }
      open("all").close(); // which nobody else has open any more
    }
  }
}
