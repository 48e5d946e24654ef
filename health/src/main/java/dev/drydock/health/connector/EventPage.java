package dev.drydock.health.connector;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.drydock.contracts.FirstLine;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.event.EventJson;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.Json;
import dev.drydock.serve.web.WebServer;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** {@code POST /health-event}: one event as JSON, sent on to the connector's socket. */
public final class EventPage implements HttpHandler {
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final String JSON = "application/json";

  private final ManagedChannel channel;
  private final Optional<Path> tokenFile;
  private final Clock clock;

  /**
   * @param channel to the socket
   * @param tokenFile read for each call, if it exists
   */
  public EventPage(ManagedChannel channel, Optional<Path> tokenFile, Clock clock) {
    this.channel = channel;
    this.tokenFile = tokenFile;
    this.clock = clock;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      answer(exchange, HttpURLConnection.HTTP_BAD_METHOD, "error", "only POST is answered here");
      return;
    }
    HealthEvent event;
    try {
      byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
      if (body.length > MOST_BYTES) {
        throw new IllegalArgumentException("it has more than %d bytes".formatted(MOST_BYTES));
      }
      event =
          EventJson.event(Json.read(body, body.length)).toBuilder()
              .generatedTimestamp(clock.instant())
              .build();
    } catch (IOException | IllegalArgumentException wrong) {
      answer(
          exchange,
          HttpURLConnection.HTTP_BAD_REQUEST,
          "error",
          "not a health event: " + FirstLine.of(wrong));
      return;
    }
    try {
      var _ =
          PlatformConnectorGrpc.newBlockingStub(channel)
              .withInterceptors(credentials())
              .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
              .healthEventOccurredV1(EventMessages.batch(List.of(event)));
      answer(exchange, HttpURLConnection.HTTP_OK, "success", "Health event sent");
    } catch (StatusRuntimeException refused) {
      answer(
          exchange,
          HttpURLConnection.HTTP_INTERNAL_ERROR,
          "error",
          String.valueOf(refused.getMessage()));
    }
  }

  private static final int MOST_BYTES = 1 << 20;

  private ClientInterceptor credentials() throws IOException {
    Metadata headers = new Metadata();
    if (tokenFile.isPresent() && Files.isReadable(tokenFile.get())) {
      headers.put(CallHeaders.AUTHORIZATION, "Bearer " + Files.readString(tokenFile.get()).strip());
    }
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  private static void answer(HttpExchange exchange, int code, String status, String message)
      throws IOException {
    WebServer.answer(
        exchange,
        code,
        JSON,
        Json.object().put("status", status).put("message", message).toString());
  }
}
