package dev.drydock.maintenance.notify;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Somebody who is told over HTTP: keeps what came, and answers as it was asked to. */
final class TestingReceiver implements AutoCloseable {
  /** What came. */
  record Request(String method, String target, Headers headers, String text) {
    byte[] body() {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    String header(String name) {
      return String.valueOf(headers.getFirst(name));
    }
  }

  /** What is answered. */
  record Answer(int code, String body, Map<String, String> headers) {
    Answer(int code) {
      this(code, "", Map.of());
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final Answer usual;
  final List<Request> requests = new CopyOnWriteArrayList<>();

  TestingReceiver() throws IOException {
    this(new Answer(200));
  }

  TestingReceiver(Answer usual) throws IOException {
    this.usual = usual;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.setExecutor(threads);
    server.start();
  }

  TestingReceiver answer(Answer answer) {
    answers.add(answer);
    return this;
  }

  String url(String path) {
    return "http://" + host() + ":" + server.getAddress().getPort() + path;
  }

  String host() {
    return server.getAddress().getAddress().getHostAddress();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.add(
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              exchange.getRequestHeaders(),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
      Answer next = answers.poll();
      Answer answer = next == null ? usual : next;
      answer.headers().forEach(exchange.getResponseHeaders()::add);
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.code(), body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
