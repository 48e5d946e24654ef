package dev.drydock.health.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmDrainMonitorTest {
  private static final String DRAIN = "SlurmNodeStateDrain";

  private final TestCluster cluster = TestCluster.simulated();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  @TempDir private Path folder = Path.of("");
  private EventStore store = noStore();
  private BiConsumer<String, Object> onCall = (_, _) -> {};

  private static EventStore noStore() {
    return (EventStore)
        Proxy.newProxyInstance(
            EventStore.class.getClassLoader(),
            new Class<?>[] {EventStore.class},
            (_, _, _) -> {
              throw new UnsupportedOperationException();
            });
  }

  @BeforeEach
  void open() {
    EventStore real = EmbeddedStore.open(folder, TimeSource.REAL);
    store =
        (EventStore)
            Proxy.newProxyInstance(
                EventStore.class.getClassLoader(),
                new Class<?>[] {EventStore.class},
                (_, method, arguments) -> {
                  onCall.accept(
                      method.getName(),
                      arguments == null || arguments.length == 0 ? "" : arguments[0]);
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException failed) {
                    throw failed.getTargetException();
                  }
                });
    cluster
        .client()
        .resource(new NamespaceBuilder().withNewMetadata().withName("slurm").endMetadata().build())
        .create();
  }

  @AfterEach
  void close() {
    store.close();
    cluster.close();
  }

  private record Monitor(TestProcess process, SlurmDrainMonitor monitor) implements AutoCloseable {
    @Override
    public void close() {
      monitor.close();
      process.close();
    }
  }

  private Monitor monitor() {
    TestProcess process = cluster.process();
    SlurmDrainMonitor monitor =
        new SlurmDrainMonitor(
            process.kube(), store, SlurmDrainConfig.parse("", "monitor.toml"), meters);
    monitor.start();
    return new Monitor(process, monitor);
  }

  private String worker(String name) {
    String node = cluster.addNode("node-" + name);
    cluster
        .client()
        .pods()
        .inNamespace("slurm")
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("app.kubernetes.io/name", "slurmd")
                .addToLabels("app.kubernetes.io/component", "worker")
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName("slurmd")
                .withImage("slurmd")
                .endContainer()
                .endSpec()
                .build())
        .create();
    return node;
  }

  private void drain(String pod, String status, String reason) {
    cluster
        .client()
        .pods()
        .inNamespace("slurm")
        .withName(pod)
        .editStatus(
            each -> {
              List<PodCondition> all = new ArrayList<>(each.getStatus().getConditions());
              all.removeIf(condition -> condition.getType().equals(DRAIN));
              PodCondition condition = new PodCondition();
              condition.setType(DRAIN);
              condition.setStatus(status);
              condition.setMessage(reason);
              all.add(condition);
              each.getStatus().setConditions(all);
              return each;
            });
  }

  /** Like {@code false [HC] disk}: whether healthy, and the message; oldest first. */
  private List<String> events(String node) {
    return store.query(EventQuery.ALL.ofNode(node)).stream()
        .map(each -> each.event().isHealthy() + " " + each.event().message())
        .toList();
  }

  private void eventually(String node, String... events) {
    cluster.eventually().untilAsserted(() -> assertThat(events(node)).containsExactly(events));
  }

  @Test
  void aDrainMadeInSlurmIsAnEventUntilItIsCleared() {
    String node = worker("w1");
    try (Monitor _ = monitor()) {
      drain("w1", "True", "[HC] disk");
      eventually(node, "false [HC] disk");
      drain("w1", "True", "[HC] memory");
      eventually(node, "false [HC] disk", "true Slurm external drain cleared", "false [HC] memory");
      drain("w1", "False", "");

      eventually(
          node,
          "false [HC] disk",
          "true Slurm external drain cleared",
          "false [HC] memory",
          "true Slurm external drain cleared");
      assertThat(meters.counter("slurm_drain_monitor_external_drains_detected").count())
          .isEqualTo(2);
      assertThat(meters.counter("slurm_drain_monitor_parse_matches").count()).isEqualTo(2);
    }
  }

  @Test
  void aDrainThatFollowsFromAnAnnotationIsNoFault() {
    String node = worker("w1");
    try (Monitor _ = monitor()) {
      drain("w1", "True", "slurm-operator: [HC] disk");
      drain("w1", "True", "slurm-operator: [T] [NVSentinel] 79");
      cluster.pass(Duration.ofHours(1));

      assertThat(events(node)).isEmpty();
    }
  }

  @Test
  void whatWasPublishedIsKnownAfterARestartAlsoIfThePodIsGone() {
    String node = worker("w1");
    String other = worker("w2");
    try (Monitor _ = monitor()) {
      drain("w1", "True", "[HC] disk");
      drain("w2", "True", "[HC] disk");
      eventually(node, "false [HC] disk");
      eventually(other, "false [HC] disk");
    }
    cluster.client().pods().inNamespace("slurm").withName("w2").withGracePeriod(0).delete();
    try (Monitor _ = monitor()) {
      eventually(other, "false [HC] disk", "true Slurm external drain cleared");
      cluster.pass(Duration.ofHours(1));

      assertThat(events(node)).containsExactly("false [HC] disk");
    }
  }

  @Test
  void aStoreThatDoesNotAnswerIsAskedAgainAndNothingIsStoredTwice() {
    String node = worker("w1");
    AtomicInteger failures = new AtomicInteger(3);
    onCall =
        (method, _) -> {
          if (method.equals("append") && failures.getAndDecrement() > 0) {
            throw new StoreUnavailable("fails for a test", new IOException());
          }
        };
    try (Monitor _ = monitor()) {
      drain("w1", "True", "[HC] disk");
      eventually(node, "false [HC] disk");
      cluster.pass(Duration.ofHours(1));

      assertThat(events(node)).containsExactly("false [HC] disk");
      assertThat(meters.counter("slurm_drain_monitor_health_events_publish_errors").count())
          .isEqualTo(3);
      assertThat(meters.counter("slurm_drain_monitor_reconciliation_errors").count()).isEqualTo(3);
    }
  }

  @Test
  void aBugAboutOneNodeHarmsNoOther() {
    String bad = worker("w1");
    String good = worker("w2");
    drain("w1", "True", "[HC] disk");
    drain("w2", "True", "[HC] disk");
    LoopBug bug = new LoopBug();
    onCall =
        (method, argument) -> {
          if (method.equals("query") && argument.equals(EventQuery.ALL.ofNode(bad).newest())) {
            bug.strike();
          }
        };
    try (Monitor monitor = monitor()) {
      bug.staysIn(
          "slurm-drain-monitor",
          monitor.process().kube(),
          cluster.eventually(),
          () -> {
            assertThat(events(good)).containsExactly("false [HC] disk");
            assertThat(events(bad)).isEmpty();
          },
          () -> assertThat(events(bad)).containsExactly("false [HC] disk"));
    }
  }
}
