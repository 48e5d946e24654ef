package dev.drydock.maintenance.notify;

import dev.drydock.kube.Backoff;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.sim.SimulatedApiServer;
import dev.drydock.testbed.ControlPlane;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** An API server, and outboxes on it that each stand for a process. */
final class OutboxFixture implements AutoCloseable {
  /** The user that operators are, for those who want to disturb only them. */
  static final String OPERATOR = "operator";

  private final String namespace;
  private final Function<String, Config> configs;
  private final Runnable end;
  private final KubernetesClient client;
  private final List<Operator> operators = new ArrayList<>();

  /** One that may be closed early. */
  record Operator(KubernetesClient client, KubeHttp http, Outbox outbox) implements AutoCloseable {
    void append(List<Notice> notices) {
      notices.forEach(outbox::append);
    }

    long requests() {
      return http.requests().values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
      outbox.close();
      http.close();
      client.close();
    }
  }

  private OutboxFixture(String namespace, Function<String, Config> configs, Runnable end) {
    this.namespace = namespace;
    this.configs = configs;
    this.end = end;
    client = connect("test");
  }

  /** A simulated server, which ends with it. */
  static OutboxFixture simulated(SimulatedApiServer.Options options) {
    try {
      SimulatedApiServer server = SimulatedApiServer.start(options);
      return new OutboxFixture(
          "default",
          user -> {
            Config config = Config.fromKubeconfig(server.kubeconfig());
            config.setImpersonateUsername(user);
            return config;
          },
          server::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A real server, which stays. */
  static OutboxFixture real(ControlPlane controlPlane, String namespace) {
    return new OutboxFixture(
        namespace, user -> Config.fromKubeconfig(controlPlane.kubeconfig().toFile()), () -> {});
  }

  private KubernetesClient connect(String user) {
    return new KubernetesClientBuilder().withConfig(configs.apply(user)).build();
  }

  OutboxSettings settings() {
    return OutboxSettings.usual(namespace)
        .withBackoff(new Backoff(Duration.ofMillis(1), Duration.ofMillis(8)));
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
    KubernetesClient own = connect(OPERATOR);
    KubeHttp http = new KubeHttp(own, hook, 500);
    Operator operator =
        new Operator(own, http, new Outbox(http, settings, List.of(channels), counter));
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

  static ConditionFactory eventually() {
    return Awaitility.await()
        .dontCatchUncaughtExceptions() // threads of an operator that dies end like that
        .pollInterval(Duration.ofMillis(5))
        .pollDelay(Duration.ZERO)
        .atMost(Duration.ofSeconds(60));
  }

  void untilEmpty() {
    eventually().until(() -> stored().isEmpty());
  }

  @Override
  public void close() {
    operators.forEach(Operator::close);
    client.close();
    end.run();
  }
}
