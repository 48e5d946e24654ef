package dev.drydock.health.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.serve.socket.UnixServer;
import dev.drydock.serve.socket.UnixSockets;
import dev.drydock.serve.web.WebServer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventPageTest {
  private static final Instant NOW = Instant.parse("2026-05-06T07:08:09Z");

  @TempDir private Path folder;
  private final List<HealthEvent> received = new CopyOnWriteArrayList<>();
  private UnixServer socket;
  private ManagedChannel channel;
  private WebServer web;

  @BeforeEach
  void start() throws IOException {
    socket =
        UnixServer.listen(
            folder.resolve("s"),
            List.of(
                EventService.of(
                    (batch, _) -> received.addAll(batch),
                    new SimpleMeterRegistry(),
                    new CallLimit(
                        _ -> new CallLimit.Admission.Admitted(Optional.empty()),
                        new CallLimit.Bounds(
                            8, 8, 8, Duration.ofSeconds(10), Duration.ofSeconds(10))))));
    channel =
        UnixSockets.channel(
            folder.resolve("s"), MetadataUtils.newAttachHeadersInterceptor(new Metadata()));
    web =
        WebServer.plain(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new WebServer.Setting("events", "--flag"),
            Map.of(
                "/health-event",
                new EventPage(channel, Optional.empty(), Clock.fixed(NOW, ZoneOffset.UTC))));
  }

  @AfterEach
  void stop() {
    web.close();
    channel.shutdownNow();
    socket.close();
  }

  private HttpResponse<String> send(String method, String body)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:%d/health-event".formatted(web.port())))
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void anEventIsStampedAndSent() throws Exception {
    HttpResponse<String> answer =
        send("POST", "{\"nodeName\":\"n1\",\"recommendedAction\":15,\"errorCode\":[\"79\"]}");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo("{\"status\":\"success\",\"message\":\"Health event sent\"}");
    assertThat(received).hasSize(1);
    assertThat(received.getFirst().generatedTimestamp()).isEqualTo(NOW);
    assertThat(received.getFirst().recommendedAction()).isEqualTo(RecommendedAction.RESTART_VM);
  }

  @Test
  void whatIsNoEventIsRefused() throws Exception {
    assertThat(send("GET", "").statusCode()).isEqualTo(405);
    assertThat(send("POST", "{\"nodeName\":").statusCode()).isEqualTo(400);
    assertThat(send("POST", "{\"isFatal\":\"yes\"}").body())
        .contains("isFatal should be true or false");
    socket.close();
    assertThat(send("POST", "{}").statusCode()).isEqualTo(500);
    assertThat(received).isEmpty();
  }
}
