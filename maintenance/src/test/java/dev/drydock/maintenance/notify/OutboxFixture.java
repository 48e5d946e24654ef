package dev.drydock.maintenance.notify;

import dev.drydock.kube.Backoff;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.ProcessDeath;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A cluster, and outboxes on it that each stand for a process. */
final class OutboxFixture implements AutoCloseable {
  /** The user that operators are in a simulation, for those who want to disturb only them. */
  static final String OPERATOR = "";

  private final TestCluster cluster;
  private final String namespace;
  private final Duration day;
  private final KubernetesClient client;
  private final List<Operator> operators = new ArrayList<>();

  /** One that may be closed early. */
  record Operator(TestProcess process, Outbox outbox) implements AutoCloseable {
    void append(List<Notice> notices) {
      notices.forEach(outbox::append);
    }

    KubeHttp http() {
      return process.kube().http();
    }

    long requests() {
      return http().requests().values().stream().mapToLong(Long::longValue).sum();
    }

    /** In order, as far as it gets before it dies. */
    @Override
    public void close() {
      try {
        if (!process.isDead()) {
          outbox.close();
        }
      } catch (ProcessDeath death) {
        // as it would be in any other step
      } finally {
        process.close();
      }
    }
  }

  private OutboxFixture(TestCluster cluster, String namespace, Config config, Duration day) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.day = day;
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  /** A simulated cluster, which ends with it. */
  static OutboxFixture simulated(SimulatedCluster.Settings settings) {
    TestCluster cluster = TestCluster.simulated(settings);
    Config config = cluster.config();
    config.setImpersonateUsername("test");
    return new OutboxFixture(cluster, "default", config, Duration.ofDays(1));
  }

  /** A real control plane, which stays. */
  static OutboxFixture real(ControlPlane controlPlane, String namespace) {
    TestCluster cluster = TestCluster.real(controlPlane);
    return new OutboxFixture(cluster, namespace, cluster.config(), Duration.ofSeconds(12));
  }

  OutboxSettings settings() {
    return OutboxSettings.defaults(namespace)
        .withBackoff(new Backoff(Duration.ofMillis(1), Duration.ofMillis(8)));
  }

  /** A day, or in real time what a test can wait for. */
  Duration day() {
    return day;
  }

  void pass(Duration time) {
    cluster.pass(time);
  }

  Operator operator(Channel... channels) {
    return operator(RequestInterceptor.NONE, settings(), channels);
  }

  Operator operator(RequestInterceptor hook, OutboxSettings settings, Channel... channels) {
    return operator(hook, settings, NoticeCounter.NONE, channels);
  }

  Operator operator(
      RequestInterceptor hook,
      OutboxSettings settings,
      NoticeCounter counter,
      Channel... channels) {
    TestProcess process = cluster.process(hook);
    Operator operator =
        new Operator(process, new Outbox(process.kube(), settings, List.of(channels), counter));
    operators.add(operator);
    return operator;
  }

  List<ConfigMap> stored() {
    return client
        .configMaps()
        .inNamespace(namespace)
        .withLabel(QueueConfigMap.LABEL, "true")
        .list()
        .getItems();
  }

  ConfigMap stored(String node) {
    return client.configMaps().inNamespace(namespace).withName(QueueConfigMap.name(node)).require();
  }

  KubernetesClient client() {
    return client;
  }

  Eventually eventually() {
    return cluster.eventually();
  }

  void untilEmpty() {
    eventually().until(() -> stored().isEmpty());
  }

  @Override
  public void close() {
    operators.forEach(Operator::close);
    client.close();
    cluster.close();
  }
}
