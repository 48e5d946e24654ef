package dev.drydock.serve.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What anybody who reaches a port may use up. */
class WebServerTest {
  private static WebServer server(CountDownLatch full, CountDownLatch go, AtomicInteger most) {
    AtomicInteger underWay = new AtomicInteger();
    return WebServer.plain(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        new WebServer.Setting("test", "--test"),
        Map.of(
            "/page",
            exchange -> {
              most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
              full.countDown();
              try {
                go.await();
                var _ = exchange.getRequestBody().readAllBytes();
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              } finally {
                underWay.decrementAndGet();
              }
              WebServer.answer(exchange, HttpURLConnection.HTTP_OK, "text/plain", "done");
            }));
  }

  @Test
  void answersABoundedNumberOfRequestsAtATime() throws Exception {
    CountDownLatch full = new CountDownLatch(WebServer.AT_A_TIME);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger most = new AtomicInteger();
    try (WebServer server = server(full, go, most);
        HttpClient client = HttpClient.newHttpClient()) {
      URI page = URI.create("http://127.0.0.1:" + server.port() + "/page");
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < 3 * WebServer.AT_A_TIME; i++) {
        answers.add(
            client.sendAsync(
                HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString()));
      }

      assertThat(full.await(2, TimeUnit.MINUTES)).isTrue();
      go.countDown();

      for (CompletableFuture<HttpResponse<String>> answer : answers) {
        assertThat(answer.get(2, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
      }
      assertThat(most.get()).isEqualTo(WebServer.AT_A_TIME);
    }
  }

  @Test
  void closesAConnectionWhoseRequestDoesNotArrive() throws Exception {
    CountDownLatch go = new CountDownLatch(0);
    try (WebServer server = server(new CountDownLatch(1), go, new AtomicInteger());
        Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      slow.setSoTimeout(120_000);
      slow.getOutputStream()
          .write(
              "POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nbegun"
                  .getBytes(StandardCharsets.US_ASCII));

      assertThat(end(slow)).as("the end of the connection").isTrue();
    }
  }

  private static boolean end(Socket socket) {
    try {
      var _ = socket.getInputStream().readAllBytes();
      return true;
    } catch (IOException reset) {
      return !(reset instanceof SocketTimeoutException);
    }
  }
}
