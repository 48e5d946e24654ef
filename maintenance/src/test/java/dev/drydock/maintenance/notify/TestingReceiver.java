package dev.drydock.maintenance.notify;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.drydock.testkit.LoopbackServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

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

  private final LoopbackServer server = new LoopbackServer();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final Answer usual;
  final List<Request> requests = new CopyOnWriteArrayList<>();

  TestingReceiver() {
    this(new Answer(200));
  }

  TestingReceiver(Answer usual) {
    this.usual = usual;
    server.handle("/", this::take);
  }

  TestingReceiver answer(Answer answer) {
    answers.add(answer);
    return this;
  }

  String url(String path) {
    return server.uri(path).toString();
  }

  String host() {
    return server.host();
  }

  private void take(HttpExchange exchange) throws IOException {
    requests.add(
        new Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            exchange.getRequestHeaders(),
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
    Answer next = answers.poll();
    Answer answer = next == null ? usual : next;
    answer.headers().forEach(exchange.getResponseHeaders()::add);
    LoopbackServer.answer(exchange, answer.code(), answer.body());
  }

  @Override
  public void close() {
    server.close();
  }
}
