package dev.drydock.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * An API server with scripted answers, in order: one script for watches and one for other requests.
 * A request without a scripted answer fails with 599.
 */
final class TestingApiServer implements AutoCloseable {
  /** Writes the answer to a request. */
  interface Answer {
    void to(HttpExchange exchange) throws IOException, InterruptedException;
  }

  final List<String> requests = new CopyOnWriteArrayList<>();
  final List<String> bodies = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final BlockingQueue<Answer> watches = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private final KubernetesClient client;

  TestingApiServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .withOauthToken("secret")
            .build();
    client =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientFactory(new JdkHttpClientFactory())
            .build();
  }

  KubernetesClient client() {
    return client;
  }

  /** Nobody listens at its port any more. */
  void endListening() {
    server.stop(0);
  }

  TestingApiServer answer(int code, String body) {
    answers.add(exchange -> send(exchange, code, body));
    return this;
  }

  TestingApiServer answer(Answer answer) {
    answers.add(answer);
    return this;
  }

  TestingApiServer watch(Answer answer) {
    watches.add(answer);
    return this;
  }

  /** A watch that sends these lines and then ends normally. */
  TestingApiServer watch(String... lines) {
    return watch(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          for (String line : lines) {
            writeLine(exchange, line);
          }
          exchange.close();
        });
  }

  static void writeLine(HttpExchange exchange, String line) throws IOException {
    exchange.getResponseBody().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    exchange.getResponseBody().flush();
  }

  static void send(HttpExchange exchange, int code, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String query = exchange.getRequestURI().getRawQuery();
    boolean watch = query != null && query.contains("watch=true");
    bodies.add(body);
    requests.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI()
            + " "
            + String.join(
                ",", exchange.getRequestHeaders().getOrDefault("Authorization", List.of()))
            + " "
            + String.join(
                ",", exchange.getRequestHeaders().getOrDefault("Content-Type", List.of())));
    Answer answer = (watch ? watches : answers).poll();
    try {
      if (answer == null) {
        send(exchange, 599, "{\"message\": \"not scripted\"}");
      } else {
        answer.to(exchange);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
    threads.shutdownNow();
  }
}
