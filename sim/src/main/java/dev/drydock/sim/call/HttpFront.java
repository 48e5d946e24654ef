package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The API over HTTP/1.1 on a free loopback port, each call on its own virtual thread. */
public final class HttpFront implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);

  /**
   * TCP_NODELAY, which the server reads once; without it each event waits until the previous one is
   * acknowledged.
   */
  private static final String NO_DELAY = "sun.net.httpserver.nodelay";

  private final ApiCalls calls;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  public HttpFront(ApiCalls calls) throws IOException {
    if (System.getProperty(NO_DELAY) == null) {
      System.setProperty(NO_DELAY, "true");
    }
    this.calls = calls;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      ApiRequest request =
          new ApiRequest(
              exchange.getRequestMethod(),
              exchange.getRequestURI(),
              name -> header(exchange, name),
              exchange.getRequestBody().readAllBytes());
      if (!header(exchange, "Upgrade").isEmpty() && isWebSocket(exchange)) {
        // clients that try a web socket first then fall back to HTTP
        StatusException refusal =
            new StatusException(
                503, "ServiceUnavailable", "watches are streamed over plain HTTP only");
        write(exchange, new ApiResponse.Whole(refusal.code(), refusal.status(), 0));
      } else {
        ApiResponse answer = answer(request);
        for (String warning : request.warnings()) {
          exchange.getResponseHeaders().add("Warning", "299 - " + JsonTrees.quoted(warning));
        }
        write(exchange, answer);
      }
    } catch (CallInterceptor.ConnectionLost e) {
      LOG.debug("{} {}: connection lost", exchange.getRequestMethod(), exchange.getRequestURI());
    }
  }

  private ApiResponse answer(ApiRequest request) {
    try {
      return calls.answer(request);
    } catch (CallInterceptor.ConnectionLost e) {
      throw e;
    } catch (RuntimeException e) {
      // a bug of the simulation: the caller must not wait for an answer that never comes
      LOG.error("{} {}", request.method(), request.uri(), e);
      StatusException failure = StatusException.internal(e.toString());
      return new ApiResponse.Whole(failure.code(), failure.status(), 0);
    }
  }

  private static boolean isWebSocket(HttpExchange exchange) {
    return header(exchange, "Upgrade").equalsIgnoreCase("websocket");
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  private static void write(HttpExchange exchange, ApiResponse answer) throws IOException {
    switch (answer) {
      case ApiResponse.Whole whole -> {
        if (whole.retryAfterSeconds() > 0) {
          String seconds = Integer.toString(whole.retryAfterSeconds());
          exchange.getResponseHeaders().set("Retry-After", seconds);
        }
        writeWhole(exchange, whole.code(), "application/json", bytes(whole.body()));
      }
      case ApiResponse.Word word ->
          writeWhole(
              exchange, word.code(), "text/plain", word.text().getBytes(StandardCharsets.UTF_8));
      case ApiResponse.Stream stream -> writeStream(exchange, stream);
    }
  }

  private static void writeWhole(HttpExchange exchange, int code, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
  }

  private static void writeStream(HttpExchange exchange, ApiResponse.Stream stream)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(stream.code(), 0);
    OutputStream out = exchange.getResponseBody();
    out.flush();
    try {
      stream
          .lines()
          .writeTo(
              line -> {
                out.write(bytes(line));
                out.write('\n');
                out.flush();
              });
    } catch (InterruptedException e) {
      // the server is closing: the caller sees its watch end
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] bytes(JsonNode body) throws IOException {
    return JsonTrees.MAPPER.writeValueAsBytes(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    calls.close();
  }
}
