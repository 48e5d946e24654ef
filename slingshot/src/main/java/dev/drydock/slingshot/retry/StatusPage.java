package dev.drydock.slingshot.retry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.drydock.serve.web.WebServer;
import dev.drydock.slingshot.node.decide.RetryStatistics;
import java.io.IOException;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** {@code /status} of a supervisor: its handlers, with what they have counted. */
public final class StatusPage implements HttpHandler {
  private static final JsonFactory JSON = new JsonFactory();

  private final Supplier<List<HandlerStatus>> handlers;

  public StatusPage(Supplier<List<HandlerStatus>> handlers) {
    this.handlers = handlers;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    WebServer.answer(exchange, HttpURLConnection.HTTP_OK, "application/json", text(handlers.get()));
  }

  static String text(List<HandlerStatus> handlers) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeArrayFieldStart("handlers");
      for (HandlerStatus each : handlers) {
        write(each, json);
      }
      json.writeEndArray();
      json.writeBooleanField("healthy", handlers.stream().allMatch(each -> each.reason().serves()));
      json.writeEndObject();
    }
    return text.append('\n').toString();
  }

  private static void write(HandlerStatus handler, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("device", handler.device());
    json.writeBooleanField("running", handler.reason().serves());
    json.writeNumberField("pid", handler.pid().orElse(0));
    json.writeNumberField("restarts", handler.restarts());
    json.writeStringField("reason", handler.reason().name());
    if (!handler.message().isEmpty()) {
      json.writeStringField("message", handler.message());
    }
    if (handler.statistics().isPresent()) {
      RetryStatistics statistics = handler.statistics().get();
      json.writeObjectFieldStart("stats");
      json.writeNumberField("totalRetries", statistics.total());
      json.writeNumberField("nackRetries", statistics.nacks());
      json.writeNumberField("timeoutRetries", statistics.timeouts());
      json.writeNumberField("pendingRetries", statistics.pending());
      for (Map.Entry<String, Long> each : statistics.values().entrySet()) {
        json.writeNumberField(each.getKey(), each.getValue());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }
}
