package dev.drydock.serve.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.drydock.cli.SafeText;
import dev.drydock.kube.Health;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The probes of a process. {@code /healthz} fails when a control loop is stuck, so that the kubelet
 * restarts the process. {@code /readyz} fails while a watch that is required is not up to date, or
 * for a reason of the process itself. Objects that cannot be served are only listed there: neither
 * a restart nor another replica would help them.
 */
public final class HealthPages {
  private static final String PLAIN = "text/plain; charset=utf-8";

  private final Health health;
  private final Supplier<List<String>> unready;
  private final Supplier<String> standing;

  /**
   * @param unready further reasons why the process is not ready, one line each
   * @param standing what a process that is ready says about itself, e.g. {@code leading}; may be
   *     empty
   */
  public HealthPages(Health health, Supplier<List<String>> unready, Supplier<String> standing) {
    this.health = health;
    this.unready = unready;
    this.standing = standing;
  }

  /** The pages by path, for a {@link WebServer}. */
  public Map<String, HttpHandler> pages() {
    return Map.of("/healthz", this::healthz, "/readyz", this::readyz);
  }

  private void healthz(HttpExchange exchange) throws IOException {
    List<String> stuck = health.stuck();
    answer(exchange, stuck.isEmpty(), stuck.isEmpty() ? List.of("ok") : stuck);
  }

  private void readyz(HttpExchange exchange) throws IOException {
    List<String> missing = new ArrayList<>();
    health.unsynced().forEach(line -> missing.add("watch not in sync: " + line));
    missing.addAll(unready.get());
    answer(exchange, missing.isEmpty(), missing.isEmpty() ? ready() : missing);
  }

  private List<String> ready() {
    String now = standing.get();
    return Stream.concat(
            Stream.of(now.isEmpty() ? "ok" : "ok: " + now),
            health.degraded().stream().map(line -> "degraded: " + line))
        .toList();
  }

  private static void answer(HttpExchange exchange, boolean good, List<String> lines)
      throws IOException {
    WebServer.answer(
        exchange,
        good ? HttpURLConnection.HTTP_OK : HttpURLConnection.HTTP_UNAVAILABLE,
        PLAIN,
        String.join("\n", lines.stream().map(SafeText::line).toList()) + "\n");
  }
}
