package dev.drydock.slingshot.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.drydock.serve.web.WebServer;
import dev.drydock.slingshot.metrics.decide.MetricFamily;
import dev.drydock.slingshot.metrics.decide.NodeMetrics.Series;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@code /metrics}, in the text format of Prometheus. */
public final class PrometheusPage implements HttpHandler {
  private static final PrometheusTextFormatWriter WRITER =
      PrometheusTextFormatWriter.builder().build();

  private final Supplier<List<Series>> series;

  public PrometheusPage(Supplier<List<Series>> series) {
    this.series = series;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    WebServer.answer(
        exchange, HttpURLConnection.HTTP_OK, WRITER.getContentType(), text(series.get()));
  }

  static String text(List<Series> all) throws IOException {
    Map<MetricFamily, List<Series>> families =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    Series::metric, () -> new EnumMap<>(MetricFamily.class), Collectors.toList()));
    MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
    families.forEach((family, values) -> snapshots.metricSnapshot(snapshot(family, values)));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    WRITER.write(text, snapshots.build());
    return text.toString(StandardCharsets.UTF_8);
  }

  private static MetricSnapshot snapshot(MetricFamily family, List<Series> values) {
    if (family.counts()) {
      CounterSnapshot.Builder counter =
          CounterSnapshot.builder()
              // the format adds the suffix
              .name(family.text().replaceFirst("_total$", ""))
              .help(family.help());
      values.forEach(
          each ->
              counter.dataPoint(
                  CounterSnapshot.CounterDataPointSnapshot.builder()
                      .labels(labels(each))
                      .value(each.value())
                      .build()));
      return counter.build();
    }
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(family.text()).help(family.help());
    values.forEach(
        each ->
            gauge.dataPoint(
                GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(labels(each))
                    .value(each.value())
                    .build()));
    return gauge.build();
  }

  private static Labels labels(Series series) {
    Map<String, String> sorted = new TreeMap<>(series.labels());
    Labels.Builder labels = Labels.builder();
    sorted.forEach(labels::label);
    return labels.build();
  }
}
