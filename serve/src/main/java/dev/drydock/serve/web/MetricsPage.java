package dev.drydock.serve.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.drydock.kube.Health;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.HttpURLConnection;

/** {@code /metrics} of a process, with those of its control loops and watches. */
public final class MetricsPage implements HttpHandler {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry meters;
  private final HealthMetrics health;
  private final Runnable refresh;

  /**
   * @param refresh called before the registry is read
   */
  public MetricsPage(PrometheusMeterRegistry meters, Health health, Runnable refresh) {
    this.meters = meters;
    this.health = new HealthMetrics(meters, health);
    this.refresh = refresh;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    health.refresh();
    refresh.run();
    WebServer.answer(exchange, HttpURLConnection.HTTP_OK, PROMETHEUS, meters.scrape());
  }
}
