package dev.drydock.serve.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Serves a few pages, each request on a virtual thread, until closed. */
public final class WebServer implements AutoCloseable {
  private static final int SECONDS_TO_FINISH = 2;

  /** How many requests a server answers at a time; the memory that they may take follows. */
  static final int AT_A_TIME = 8;

  /** Less than any client waits; then it is told to come again. */
  private static final int SECONDS_TO_WAIT = 5;

  /** Whoever sends a request or takes an answer so slowly is cut off. */
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(12);

  private final Semaphore places = new Semaphore(AT_A_TIME, true);

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  static {
    // Read once, before the first server. API servers keep connections for 90 s; if we closed one
    // earlier, a review sent at that moment would be lost.
    var _ = System.getProperties().putIfAbsent("sun.net.httpserver.idleInterval", "300");
    // Connections that send nothing must not use up the process's memory.
    var _ = System.getProperties().putIfAbsent("jdk.httpserver.maxConnections", "500");
    // Answers go out at once; the next segment would wait for the other side's acknowledgement.
    var _ = System.getProperties().putIfAbsent("sun.net.httpserver.nodelay", "true");
  }

  /** The setting to change if the address is in use, and its flag. */
  public record Setting(String name, String flag) {}

  private WebServer(HttpServer server, Map<String, HttpHandler> pages) {
    this.server = server;
    pages.forEach((path, page) -> server.createContext(path, exact(path, page)));
    server.setExecutor(threads);
    server.start();
  }

  /**
   * By HTTP.
   *
   * @param setting what to change if the address cannot be had
   */
  public static WebServer plain(
      InetSocketAddress address, Setting setting, Map<String, HttpHandler> pages) {
    try {
      return new WebServer(HttpServer.create(address, 0), pages);
    } catch (IOException taken) {
      throw unavailable(address, setting, taken);
    }
  }

  /** Who may ask by HTTPS. */
  public enum Clients {
    ANYBODY,
    /** Only those with a certificate that the identity's context trusts. */
    WITH_CERTIFICATE
  }

  /** A server for HTTPS with TLS 1.3, for anybody. */
  public static WebServer tls(
      int port, SSLContext identity, Setting setting, Map<String, HttpHandler> pages) {
    return tls(port, identity, Clients.ANYBODY, setting, pages);
  }

  /** A server for HTTPS with TLS 1.3. */
  public static WebServer tls(
      int port,
      SSLContext identity,
      Clients clients,
      Setting setting,
      Map<String, HttpHandler> pages) {
    InetSocketAddress address = new InetSocketAddress(port);
    try {
      HttpsServer server = HttpsServer.create(address, 0);
      server.setHttpsConfigurator(new Tls13(identity, clients));
      return new WebServer(server, pages);
    } catch (IOException taken) {
      throw unavailable(address, setting, taken);
    }
  }

  private static CommandFailure unavailable(
      InetSocketAddress address, Setting setting, IOException cause) {
    return new CommandFailure(
        "cannot listen on port %d for %s: %s; set another port with %s"
            .formatted(address.getPort(), setting.name(), cause.getMessage(), setting.flag()),
        cause);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** Serves only the exact path; the library matches by prefix. */
  private HttpHandler exact(String path, HttpHandler page) {
    return exchange -> {
      if (exchange.getRequestURI().getPath().equals(path)) {
        answerInTurn(page, exchange);
      } else {
        answer(exchange, HttpURLConnection.HTTP_NOT_FOUND, "text/plain", "no such page\n");
      }
    };
  }

  private void answerInTurn(HttpHandler page, HttpExchange exchange) throws IOException {
    if (!isMyTurn()) {
      answer(exchange, HttpURLConnection.HTTP_UNAVAILABLE, "text/plain", "too many requests\n");
      return;
    }
    TimeSource.Timer deadline = TimeSource.REAL.schedule(LONGEST_REQUEST, exchange::close);
    try {
      page.handle(exchange);
    } finally {
      deadline.cancel();
      places.release();
    }
  }

  private boolean isMyTurn() {
    try {
      return places.tryAcquire(SECONDS_TO_WAIT, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  public static void answer(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    try (exchange) {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Requests that are under way get a moment to finish. */
  @Override
  public void close() {
    server.stop(SECONDS_TO_FINISH);
    threads.shutdownNow();
  }

  private static final class Tls13 extends HttpsConfigurator {
    private final Clients clients;

    Tls13(SSLContext identity, Clients clients) {
      super(identity);
      this.clients = clients;
    }

    @Override
    public void configure(HttpsParameters connection) {
      SSLParameters parameters = getSSLContext().getDefaultSSLParameters();
      parameters.setProtocols(new String[] {"TLSv1.3"});
      parameters.setNeedClientAuth(clients == Clients.WITH_CERTIFICATE);
      connection.setSSLParameters(parameters);
    }
  }
}
