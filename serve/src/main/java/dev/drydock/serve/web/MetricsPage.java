package dev.drydock.serve.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.drydock.kube.Health;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.regex.Pattern;

/** {@code /metrics} of a process, with those of its control loops and watches. */
public final class MetricsPage implements HttpHandler {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  /** Go's client, whose text queries are made for, writes {@code le="1"}. */
  private static final Pattern WHOLE_BOUND = Pattern.compile("le=\"(\\d+)\\.0\"");

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
    String page = WHOLE_BOUND.matcher(meters.scrape()).replaceAll("le=\"$1\"");
    WebServer.answer(exchange, HttpURLConnection.HTTP_OK, PROMETHEUS, page);
  }
}
