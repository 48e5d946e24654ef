package dev.drydock.serve.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import dev.drydock.testkit.TestCluster;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthPagesTest {
  private final TestCluster cluster = TestCluster.simulated();
  private final Kube kube = cluster.process().kube();
  private List<String> unready = List.of();
  private String standing = "";
  private final WebServer server =
      WebServer.plain(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
          new WebServer.Setting("health", "--health"),
          new HealthPages(kube.health(), () -> unready, () -> standing).pages());
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final HealthMetrics metrics = new HealthMetrics(registry, kube.health());

  @AfterEach
  void close() {
    server.close();
    cluster.close();
  }

  private String page(String path) throws IOException, InterruptedException {
    return page(server, path);
  }

  private static String page(WebServer of, String path) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + of.port() + path)).build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }

  private String scrape() {
    metrics.refresh();
    return registry.scrape();
  }

  @Test
  void aProcessThatHasNothingToDoIsWell() throws Exception {
    assertThat(page("/healthz")).isEqualTo("200 ok\n");
    assertThat(page("/readyz")).isEqualTo("200 ok\n");
    standing = "leading";
    assertThat(page("/readyz")).isEqualTo("200 ok: leading\n");
  }

  @Test
  void boundsOfBucketsThatAreWholeNumbersAreWrittenAsSuch() throws Exception {
    DistributionSummary.builder("minutes")
        .serviceLevelObjectives(0.5, 1, 7200)
        .register(registry)
        .record(1);
    try (WebServer metricsServer =
        WebServer.plain(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new WebServer.Setting("metrics", "--metrics"),
            Map.of("/metrics", new MetricsPage(registry, kube.health(), () -> {})))) {
      assertThat(page(metricsServer, "/metrics"))
          .contains("minutes_bucket{le=\"0.5\"} 0\n")
          .contains("minutes_bucket{le=\"1\"} 1\n")
          .contains("minutes_bucket{le=\"7200\"} 1\n")
          .contains("minutes_bucket{le=\"+Inf\"} 1\n");
    }
  }

  @Test
  void aLoopThatHangsMakesTheProcessUnhealthy() throws Exception {
    ControlLoop loop = kube.loop("things", () -> cluster.clock().instant());
    ControlLoop hanging =
        kube.loop(
            "hangs",
            () -> {
              assertThat(pageNow("/healthz")).isEqualTo("200 ok\n");
              cluster.pass(Duration.ofMinutes(3)); // a step that takes so long
              assertThat(pageNow("/healthz")).startsWith("503 hangs: no progress since ");
              assertThat(scrape()).contains("drydock_control_loop_stuck{loop=\"hangs\"} 1");
              return Instant.MAX;
            });

    loop.close();
    hanging.wake();
    cluster.pass(Duration.ZERO);

    assertThat(kube.health().degraded()).isEmpty();
    assertThat(page("/healthz")).isEqualTo("200 ok\n");
  }

  private String pageNow(String path) {
    try {
      return page(path);
    } catch (IOException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void aProcessIsReadyWhenItsRequiredWatchesAreInSyncAndItSaysSoItself() throws Exception {
    Watch<String> nodes =
        kube.watches()
            .of(Watch.Kind.of(Resource.NODES.all(), _ -> ""), Watch.Listener.waking(() -> {}));
    unready = List.of("no serving certificate yet");

    nodes.start();
    assertThat(page("/readyz"))
        .isEqualTo(
            "503 watch not in sync: /api/v1/nodes: not listed yet\nno serving certificate yet\n");
    assertThat(scrape()).contains("drydock_watch_synced{resource=\"nodes\"} 0");

    cluster.eventually().until(() -> nodes.state().unsynced().isEmpty());
    assertThat(page("/readyz")).isEqualTo("503 no serving certificate yet\n");
    unready = List.of();
    assertThat(page("/readyz")).isEqualTo("200 ok\n");
    assertThat(scrape()).contains("drydock_watch_synced{resource=\"nodes\"} 1");
  }

  @Test
  void aResourceThatTheClusterDoesNotServeMattersOnlyIfItIsNeeded() throws Exception {
    Watch.Kind<String> things =
        Watch.Kind.of(
            Resource.cluster("absent.example", "v1", "things", "Thing").all(), _ -> "thing");
    try (Watch<String> optional =
            kube.watches().of(things.optional(), Watch.Listener.waking(() -> {}));
        Watch<String> ifServed =
            kube.watches().of(things.ifServed(), Watch.Listener.waking(() -> {}));
        Watch<String> needed = kube.watches().of(things, Watch.Listener.waking(() -> {}))) {
      optional.start();
      assertThat(page("/readyz")).isEqualTo("200 ok\n");

      ifServed.start();
      assertThat(page("/readyz")).startsWith("503 ");
      cluster.pass(Duration.ofMinutes(1));
      assertThat(page("/readyz")).isEqualTo("200 ok\n");
      assertThat(scrape()).doesNotContain("drydock_watch_synced{");

      needed.start();
      cluster.pass(Duration.ofMinutes(1));
      assertThat(page("/readyz")).startsWith("503 watch not in sync: /apis/absent.example");
      assertThat(scrape()).contains("drydock_watch_synced{resource=\"things.absent.example\"} 0");
    }
  }

  @Test
  void whatCannotBeServedIsListedAndCountedWhileTheRestIsReady() throws Exception {
    AtomicBoolean mended = new AtomicBoolean();
    ControlLoop loop =
        kube.loop(
            "things",
            "one",
            () -> {
              if (!mended.get()) {
                throw new IllegalStateException("upside down");
              }
              return Instant.MAX;
            });
    String bad = cluster.addNode("bad");
    Watch<String> nodes =
        kube.watches()
            .of(
                Watch.Kind.of(
                    Resource.NODES.all(),
                    _ -> {
                      throw new IllegalStateException("unclear");
                    }),
                Watch.Listener.waking(() -> {}));
    loop.wake();
    nodes.start();

    cluster.eventually().until(() -> !nodes.state().unreadable().isEmpty());
    assertThat(page("/readyz"))
        .isEqualTo(
            "200 ok\n"
                + "degraded: things one: unexpected exception: java.lang.IllegalStateException: upside down\n"
                + "degraded: /api/v1/nodes "
                + bad
                + " cannot be read: unclear\n");
    assertThat(scrape())
        .contains("drydock_watch_unreadable_objects{resource=\"nodes\"} 1")
        .contains("drydock_control_loop_retries_total{loop=\"things\"} 0")
        .containsPattern("drydock_control_loop_failures_total\\{loop=\"things\"} [1-9]");

    mended.set(true);
    nodes.close();
    cluster.eventually().until(() -> kube.health().degraded().isEmpty());
    assertThat(page("/readyz")).isEqualTo("200 ok\n");
    assertThat(scrape()).doesNotContain("resource=");
    assertThat(kube.health().loops())
        .filteredOn(each -> each.name().equals("things"))
        .allMatch(each -> each.failures() > 0);
    assertThat(page("/healthz")).isEqualTo("200 ok\n");
  }
}
