package dev.drydock.serve.feature;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CommandLogging;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.WhenStopped;
import dev.drydock.kube.Health;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.command.OperatorNamespaceOption;
import dev.drydock.serve.web.HealthPages;
import dev.drydock.serve.web.MetricsPage;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A process that serves a cluster until it is stopped, with metrics and health. */
public final class ServerProcess {
  private final KubeOptions options;
  private final Settings settings;
  private final Map<String, String> environment;

  /**
   * What a process looks like from outside.
   *
   * @param name for people
   * @param heapMebibytes that it should have
   * @param verbosity of its log
   * @param pages where its metrics and health are; absent if its work serves them
   */
  public record Settings(
      String name, long heapMebibytes, int verbosity, Optional<ServerPages.Places> pages) {}

  /**
   * What the process hands to the work that it does.
   *
   * @param client the library's client, on the connection of {@code kube}
   * @param namespace that was given, or the one where the andon cord is
   * @param end ends the process
   */
  public record Context(
      Kube kube,
      KubernetesClient client,
      String namespace,
      PrometheusMeterRegistry meters,
      Runnable end) {}

  /** Begins the work; what it adds to the list is closed at the end, in reverse order. */
  @FunctionalInterface
  public interface Start {
    void start(Context context, List<AgentRole.Running> running) throws IOException;
  }

  public ServerProcess(KubeOptions options, Settings settings, Map<String, String> environment) {
    this.options = options;
    this.settings = settings;
    this.environment = environment;
  }

  /** Returns when the process is asked to stop. */
  public int run(RequestInterceptor interceptor, Start work) {
    CommandLogging.enable(settings.verbosity());
    ProcessHeap.check(settings.name(), settings.heapMebibytes());
    String namespace =
        environment.getOrDefault("NAMESPACE", OperatorNamespaceOption.DEFAULT_NAMESPACE);
    try (KubeConnection connection = options.connect(namespace);
        Kube kube =
            new Kube(
                new KubeHttp(connection.client(), interceptor, KubeHttp.PAGE_SIZE),
                TimeSource.REAL)) {
      serve(connection.client(), kube, work);
    }
    return ExitCode.OK;
  }

  private void serve(KubernetesClient client, Kube kube, Start work) {
    List<AgentRole.Running> running = new ArrayList<>();
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Context context =
        new Context(
            kube,
            client,
            client.getNamespace(),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            end::countDown);
    try {
      work.start(context, running);
      settings.pages().ifPresent(places -> running.add(pages(context, places, running)));
      try (WhenStopped _ =
          new WhenStopped(
              () -> {
                end.countDown();
                await(ended);
              })) {
        await(end);
      } finally {
        running.reversed().forEach(AgentRole.Running::close);
        running.clear();
        ended.countDown();
      }
    } catch (IOException unusable) {
      throw new CommandFailure(String.valueOf(unusable.getMessage()), unusable);
    } finally {
      running.reversed().forEach(AgentRole.Running::close);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static ServerPages pages(
      Context context, ServerPages.Places places, List<AgentRole.Running> running) {
    List<AgentRole.Running> shown = List.copyOf(running);
    Health health = context.kube().health();
    return new ServerPages(
        places,
        new MetricsPage(context.meters(), health, () -> {}),
        new HealthPages(
            health,
            () -> shown.stream().flatMap(each -> each.unready().stream()).toList(),
            () -> ""));
  }
}
