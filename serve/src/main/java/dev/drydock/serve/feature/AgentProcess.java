package dev.drydock.serve.feature;

import com.sun.net.httpserver.HttpHandler;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CommandLogging;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.WhenStopped;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Health;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.command.OperatorNamespaceOption;
import dev.drydock.serve.web.HealthPages;
import dev.drydock.serve.web.MetricsPage;
import dev.drydock.serve.web.WebServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Serves one node until it is stopped, with metrics and health. */
public final class AgentProcess {
  private static final long RECOMMENDED_HEAP_MEBIBYTES = 96;

  private final KubeOptions options;
  private final AgentProcessOptions own;
  private final List<AgentRole> roles;
  private final Map<String, String> environment;

  public AgentProcess(
      KubeOptions options,
      AgentProcessOptions own,
      List<AgentRole> roles,
      Map<String, String> environment) {
    this.options = options;
    this.own = own;
    this.roles = roles;
    this.environment = environment;
  }

  public int run() {
    String node = own.node(environment); // mistakes first
    roles.forEach(AgentRole::check);
    var _ = own.metricsAddress();
    CommandLogging.enable(own.verbosity());
    ProcessHeap.check("agent", RECOMMENDED_HEAP_MEBIBYTES);
    String namespace =
        environment.getOrDefault("NAMESPACE", OperatorNamespaceOption.DEFAULT_NAMESPACE);
    try (KubeConnection connection = options.connect(namespace);
        Kube kube =
            new Kube(
                new KubeHttp(connection.client(), new AllInterceptors(roles), KubeHttp.PAGE_SIZE),
                TimeSource.REAL)) {
      PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      serve(
          new AgentContext(
              kube,
              connection.client(),
              node,
              connection.client().getNamespace(),
              ProcessIdentity.of(environment),
              meters),
          meters);
    }
    return ExitCode.OK;
  }

  private void serve(AgentContext context, PrometheusMeterRegistry meters) {
    List<AgentRole.Running> running = new ArrayList<>();
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    try {
      for (AgentRole role : roles) {
        running.add(role.start(context));
      }
      try (AgentRole.Running _ = pages(context, List.copyOf(running), meters);
          WhenStopped _ =
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

  private AgentRole.Running pages(
      AgentContext context, List<AgentRole.Running> running, PrometheusMeterRegistry meters) {
    Health health = context.kube().health();
    Map<String, HttpHandler> pages =
        new HashMap<>(new HealthPages(health, () -> unready(running), () -> "").pages());
    pages.put("/metrics", new MetricsPage(meters, health, () -> {}));
    return own.metricsAddress()
        .<AgentRole.Running>map(
            address ->
                WebServer.plain(
                        address, new WebServer.Setting("metrics", "--metrics-bind-address"), pages)
                    ::close)
        .orElse(() -> {});
  }

  private static List<String> unready(List<AgentRole.Running> running) {
    return running.stream().flatMap(each -> each.unready().stream()).toList();
  }

  /** Each role sees all requests of the process. */
  private record AllInterceptors(List<AgentRole> roles) implements RequestInterceptor {
    @Override
    public void before(ApiCall call) {
      roles.forEach(role -> role.interceptor().before(call));
    }

    @Override
    public void after(ApiCall call, int code) {
      roles.forEach(role -> role.interceptor().after(call, code));
    }
  }
}
