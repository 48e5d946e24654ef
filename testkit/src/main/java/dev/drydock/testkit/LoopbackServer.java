package dev.drydock.testkit;

import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A small HTTP server on a free loopback port. */
public final class LoopbackServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, HttpHandler> handlers = new ConcurrentHashMap<>();

  public LoopbackServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.start();
  }

  /** Answers requests to this path and below, from now on by this handler. */
  public void handle(String path, HttpHandler handler) {
    if (handlers.put(path, handler) == null) {
      server.createContext(path, exchange -> requireNonNull(handlers.get(path)).handle(exchange));
    }
  }

  public String host() {
    return server.getAddress().getAddress().getHostAddress();
  }

  public URI uri(String path) {
    return URI.create("http://%s:%d%s".formatted(host(), server.getAddress().getPort(), path));
  }

  /** Answers, with the headers that the exchange has so far. */
  public static void answer(HttpExchange exchange, int code, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
      if (bytes.length > 0) {
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
