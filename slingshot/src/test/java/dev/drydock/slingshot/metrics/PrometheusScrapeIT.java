package dev.drydock.slingshot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.web.WebServer;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.testbed.Guardian;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scrape configuration that is shipped leads a real Prometheus from a pod's address and
 * annotations to the exporter. Only the list of pods comes from a file instead of an API server.
 */
class PrometheusScrapeIT {
  @Test
  void prometheusFindsTheExporterAndScrapesIt(@TempDir Path folder) throws Exception {
    Promtool.program("prometheus");
    FakeNics machine =
        FakeNics.create(folder.resolve("machine"), FakeNics.KERNEL, Clock.systemUTC());
    machine.add(FakeNic.numbered(0));
    try (Guardian guardian = Guardian.of(Files.createDirectory(folder.resolve("guarded")));
        MetricsExporter exporter =
            new MetricsExporter(
                new LoopFactory(TimeSource.REAL),
                new MetricsExporter.Settings(
                    "node1", machine.roots(), Duration.ofSeconds(1), Optional.empty()));
        WebServer pages =
            WebServer.plain(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new WebServer.Setting("metrics", "--metrics-port"),
                Map.of("/metrics", new PrometheusPage(exporter::series)))) {
      exporter.start();
      int own = Ports.free();
      start(guardian, folder, own, pages.port());
      Eventually.inRealTime()
          .untilAsserted(
              () ->
                  assertThat(query(own, "cxi_device_link_state"))
                      .contains("\"device\":\"cxi0\"", "\"node\":\"node1\"", ",\"1\"]"));
      assertThat(query(own, "up{job=\"cxi-metrics\"}"))
          .contains("\"instance\":\"127.0.0.1:%d\"".formatted(pages.port()));
    }
  }

  /** It ends with its guardian. */
  private static void start(Guardian guardian, Path folder, int own, int exporter)
      throws IOException {
    String scrape = Files.readString(Path.of("..", "deploy", "prometheus", "cxi-scrape.yaml"));
    String discovery = "kubernetes_sd_configs:\n      - role: pod\n";
    assertThat(scrape).contains(discovery);
    Files.writeString(
        folder.resolve("prometheus.yml"),
        "global: {scrape_interval: 1s}\n"
            + scrape.replace(
                discovery, "file_sd_configs:\n      - files: [\"%s\"]\n".formatted(pods(folder))));
    // as an API server has them: one pod of ours, whose first port is another one, and one of
    // others
    Files.writeString(
        pods(folder),
        """
        - targets: ["127.0.0.1:1"]
          labels:
            __meta_kubernetes_pod_annotation_prometheus_io_scrape: "true"
            __meta_kubernetes_pod_annotation_prometheus_io_port: "%d"
            __meta_kubernetes_pod_annotation_prometheus_io_path: /metrics
            __meta_kubernetes_pod_label_app_kubernetes_io_component: metrics-exporter
        - targets: ["127.0.0.1:2"]
          labels:
            __meta_kubernetes_pod_annotation_prometheus_io_scrape: "true"
        """
            .formatted(exporter));
    var _ =
        guardian.start(
            List.of(
                Promtool.program("prometheus").toString(),
                "--config.file=" + folder.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + own),
            Map.of(),
            folder.resolve("prometheus.log"));
  }

  private static Path pods(Path folder) {
    return folder.resolve("pods.yml");
  }

  private static String query(int port, String expression) throws IOException {
    URI uri =
        URI.create(
            "http://127.0.0.1:%d/api/v1/query?query=%s"
                .formatted(port, URLEncoder.encode(expression, StandardCharsets.UTF_8)));
    try (InputStream in = uri.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
