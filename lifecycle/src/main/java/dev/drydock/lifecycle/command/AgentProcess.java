package dev.drydock.lifecycle.command;

import com.sun.net.httpserver.HttpExchange;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CommandLogging;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.WhenStopped;
import dev.drydock.drain.command.CordOptions;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RateLimiter;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.lifecycle.Agent;
import dev.drydock.lifecycle.AgentSettings;
import dev.drydock.serve.web.WebServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/** Runs an agent until it is stopped, with its metrics and health. */
final class AgentProcess {
  private static final String PLAIN = "text/plain; charset=utf-8";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final KubeOptions kube;
  private final AgentOptions options;
  private final Map<String, String> environment;

  AgentProcess(KubeOptions kube, AgentOptions options, Map<String, String> environment) {
    this.kube = kube;
    this.options = options;
    this.environment = environment;
  }

  int run() {
    String namespace = environment.getOrDefault("NAMESPACE", CordOptions.DEFAULT_NAMESPACE);
    var _ = options.settings(namespace, "", environment); // mistakes first
    var _ = options.metricsAddress();
    CommandLogging.talk(options.verbosity());
    try (KubeConnection connection = kube.connect(namespace)) {
      AgentSettings settings =
          options.settings(connection.client().getNamespace(), identity(), environment);
      AgentMetrics metrics = new AgentMetrics();
      CountDownLatch end = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      try (Kube process = kube(connection, settings);
          Agent agent = Agent.start(process, connection.client(), settings, metrics);
          AutoCloseable _ = serve(agent, metrics);
          WhenStopped _ =
              new WhenStopped(
                  () -> {
                    end.countDown();
                    await(ended);
                  })) {
        metrics.remaining(agent::remaining);
        await(end);
      } catch (IOException unusable) {
        throw new CommandFailure(String.valueOf(unusable.getMessage()), unusable);
      } catch (RuntimeException failed) {
        throw failed;
      } catch (Exception failed) {
        throw new IllegalStateException(failed);
      } finally {
        ended.countDown();
      }
    }
    return ExitCode.OK;
  }

  /** The only connection of the process, apart from that of the election. */
  private static Kube kube(KubeConnection connection, AgentSettings settings) {
    RateLimiter limit = new RateLimiter(settings.qps(), settings.burst(), RequestInterceptor.NONE);
    return new Kube(new KubeHttp(connection.client(), limit, KubeHttp.PAGE_SIZE), TimeSource.REAL);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private AutoCloseable serve(Agent agent, AgentMetrics metrics) {
    return options
        .metricsAddress()
        .<AutoCloseable>map(
            address ->
                WebServer.plain(
                    address,
                    new WebServer.Setting("metrics", "--metrics-bind-address"),
                    Map.of(
                        "/metrics",
                        exchange -> answer(exchange, METRICS, metrics.scrape()),
                        "/healthz",
                        exchange -> answer(exchange, PLAIN, "ok\n"),
                        "/readyz",
                        exchange -> ready(exchange, agent.unready()))))
        .orElse(() -> {});
  }

  private static void ready(HttpExchange exchange, Optional<String> unready) throws IOException {
    if (unready.isEmpty()) {
      answer(exchange, PLAIN, "ok\n");
    } else {
      WebServer.answer(
          exchange,
          HttpURLConnection.HTTP_UNAVAILABLE,
          PLAIN,
          "the cluster is not seen: " + unready.get() + "\n");
    }
  }

  private static void answer(HttpExchange exchange, String type, String text) throws IOException {
    WebServer.answer(exchange, HttpURLConnection.HTTP_OK, type, text);
  }

  /**
   * A container that is restarted in its pod need not wait for its own Lease: the process before it
   * is gone for certain. Elsewhere each process is another.
   */
  private String identity() {
    String pod = environment.getOrDefault("POD_UID", "");
    return environment.getOrDefault("HOSTNAME", "drydock")
        + "_"
        + (pod.isEmpty() ? UUID.randomUUID().toString() : pod);
  }
}
