package dev.drydock.slingshot.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.slingshot.metrics.decide.NodeSample.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Asks the supervisor of the node's retry handlers for their status. */
final class RetryHandlerClient {
  private static final int TIMEOUT = (int) Duration.ofSeconds(5).toMillis();
  private static final int MOST_BYTES = 1 << 20;

  private final URI status;

  RetryHandlerClient(URI url) {
    status = URI.create(url.toString().replaceFirst("/*$", "") + "/status");
  }

  /** The handlers by NIC. */
  Map<String, Handler> handlers() throws IOException {
    // it asks a neighbour every few seconds; the larger client of the JDK would cost memory
    if (!(status.toURL().openConnection(Proxy.NO_PROXY) instanceof HttpURLConnection connection)) {
      throw new IOException(status + " is no address of a web server");
    }
    connection.setConnectTimeout(TIMEOUT);
    connection.setReadTimeout(TIMEOUT);
    connection.setInstanceFollowRedirects(false);
    try {
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
        throw new IOException(
            "%s answers with code %d".formatted(status, connection.getResponseCode()));
      }
      try (InputStream in = connection.getInputStream()) {
        return read(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
      }
    } finally {
      connection.disconnect();
    }
  }

  static Map<String, Handler> read(String text) throws IOException {
    JsonNode answer = Json.read(text);
    if (!answer.path("handlers").isArray()) {
      throw new IOException("the answer has no list of handlers");
    }
    Map<String, Handler> handlers = new TreeMap<>();
    for (JsonNode each : answer.path("handlers")) {
      JsonNode counted = each.path("stats");
      handlers.put(
          Fields.text(each, "device"),
          new Handler(
              each.path("running").asBoolean(false),
              each.path("pid").asLong(0),
              each.path("restarts").asLong(0),
              number(counted, "nackRetries"),
              number(counted, "timeoutRetries")));
    }
    return handlers;
  }

  private static OptionalLong number(JsonNode parent, String field) {
    JsonNode number = parent.path(field);
    return number.isIntegralNumber() ? OptionalLong.of(number.asLong()) : OptionalLong.empty();
  }
}
