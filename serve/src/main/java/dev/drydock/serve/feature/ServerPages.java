package dev.drydock.serve.feature;

import com.sun.net.httpserver.HttpHandler;
import dev.drydock.serve.web.HealthPages;
import dev.drydock.serve.web.MetricsPage;
import dev.drydock.serve.web.WebServer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the metrics and the health of a process until closed. */
public final class ServerPages implements AgentRole.Running {
  private static final Logger LOG = LoggerFactory.getLogger(ServerPages.class);

  private final List<WebServer> servers = new ArrayList<>();

  /**
   * Where something is served.
   *
   * @param address empty to serve it nowhere
   * @param setting by which another address is given
   * @param identity for HTTPS
   */
  public record Place(
      Optional<InetSocketAddress> address,
      WebServer.Setting setting,
      Optional<SSLContext> identity) {
    /** By HTTP. */
    public static Place plain(Optional<InetSocketAddress> address, WebServer.Setting setting) {
      return new Place(address, setting, Optional.empty());
    }

    private Optional<WebServer> serve(Map<String, HttpHandler> pages) {
      return address.map(
          given ->
              identity
                  .map(own -> WebServer.tls(given.getPort(), own, setting, pages))
                  .orElseGet(() -> WebServer.plain(given, setting, pages)));
    }
  }

  /**
   * Where a process shows what.
   *
   * @param metrics of {@code /metrics}
   * @param probes of {@code /healthz} and {@code /readyz}; may be the same
   */
  public record Places(Place metrics, Place probes) {}

  public ServerPages(Places places, MetricsPage metrics, HealthPages health) {
    Map<String, HttpHandler> shown = new HashMap<>(Map.of("/metrics", metrics));
    if (places.metrics().address().equals(places.probes().address())) {
      shown.putAll(health.pages());
      serve(places.metrics(), "/metrics, /healthz and /readyz", shown);
      return;
    }
    serve(places.metrics(), "/metrics", shown);
    boolean complete = false;
    try {
      serve(places.probes(), "/healthz and /readyz", health.pages());
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  private void serve(Place place, String what, Map<String, HttpHandler> pages) {
    place
        .serve(pages)
        .ifPresent(
            server -> {
              servers.add(server);
              LOG.info("{} on port {}", what, server.port());
            });
  }

  @Override
  public void close() {
    servers.forEach(WebServer::close);
  }
}
