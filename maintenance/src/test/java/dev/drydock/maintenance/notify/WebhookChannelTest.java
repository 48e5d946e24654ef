package dev.drydock.maintenance.notify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.Channel.Outcome;
import dev.drydock.testkit.LoopbackServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookChannelTest {
  private static final Instant NOW = Instant.parse("2026-01-02T10:00:01.900Z");
  private static final String SECRET_PATH = "/hook/Abc123?token=Xyz789";
  private static final Notice NOTICE = TestNotices.notice(NoticeEvent.SLA_STARTED);

  @TempDir private Path folder;
  private TestingReceiver receiver;
  private Path secretFile;
  private Channel channel;

  @BeforeEach
  void start() throws IOException {
    receiver = new TestingReceiver();
    secretFile = Files.writeString(folder.resolve("secret"), "first key\n");
    channel =
        new WebhookChannel(
            ChannelSettings.webhook(receiver.url(SECRET_PATH), secretFile),
            Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @AfterEach
  void stop() {
    channel.close();
    receiver.close();
  }

  /** As a receiver would, from what it is told in the manual. */
  private static String signature(String secret, TestingReceiver.Request request) throws Exception {
    ByteArrayOutputStream signed = new ByteArrayOutputStream();
    signed.writeBytes(request.header("X-Drydock-Timestamp").getBytes(StandardCharsets.UTF_8));
    signed.write('.');
    signed.writeBytes(request.body());
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return "sha256=" + HexFormat.of().formatHex(mac.doFinal(signed.toByteArray()));
  }

  @Test
  void aReceiverWhoseAnswerNeverEndsHoldsUpNobody() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (LoopbackServer endless = new LoopbackServer();
        Channel toEndless =
            new WebhookChannel(
                ChannelSettings.webhook(endless.uri("/").toString(), secretFile),
                Clock.fixed(NOW, ZoneOffset.UTC))) {
      endless.handle(
          "/",
          exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(new byte[1 << 20]);
            exchange.getResponseBody().flush();
            awaitEnd(over);
          });

      try {
        assertThat(CompletableFuture.supplyAsync(() -> deliver(toEndless)).get(1, TimeUnit.MINUTES))
            .isEqualTo(new Outcome.Delivered());
      } finally {
        over.countDown();
      }
    }
  }

  private static Outcome deliver(Channel to) {
    try {
      return to.deliver(NOTICE);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  private static void awaitEnd(CountDownLatch over) throws IOException {
    try {
      over.await();
    } catch (InterruptedException stopped) {
      throw new IOException(stopped);
    }
  }

  @Test
  void sendsACloudEvent() throws Exception {
    assertThat(channel.deliver(NOTICE)).isEqualTo(new Outcome.Delivered());

    TestingReceiver.Request request = receiver.requests.getFirst();
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.target()).isEqualTo(SECRET_PATH);
    assertThat(request.header("Content-Type")).isEqualTo("application/cloudevents+json");
    JsonNode event = Json.read(request.text());
    assertThat(event)
        .isEqualTo(
            Json.read(
                """
                {"specversion": "1.0", "id": "%s",
                 "source": "/apis/ngn2.nvidia.com/v1alpha1/namespaces/ops/notifymaintenances/fw-17-node-1",
                 "type": "dev.drydock.maintenance.SLAStarted", "subject": "node-1",
                 "time": "2026-01-02T10:00:00.250Z",
                 "maintenanceclient": "Slack_ST2", "maintenancetype": "planned",
                 "datacontenttype": "application/json", "data": %s}"""
                    .formatted(NOTICE.deduplicationId(), NOTICE.payload())));
  }

  @Test
  void signsTheTimeAndTheBody() throws Exception {
    var _ = channel.deliver(NOTICE);

    TestingReceiver.Request request = receiver.requests.getFirst();
    assertThat(request.header("X-Drydock-Timestamp"))
        .isEqualTo(Long.toString(NOW.getEpochSecond()));
    assertThat(request.header("X-Drydock-Signature")).isEqualTo(signature("first key", request));
  }

  @Test
  void aNewKeyCountsAtOnce() throws Exception {
    var _ = channel.deliver(NOTICE);
    Files.writeString(secretFile, "second key");
    var _ = channel.deliver(NOTICE);

    TestingReceiver.Request request = receiver.requests.getLast();
    assertThat(request.header("X-Drydock-Signature")).isEqualTo(signature("second key", request));
  }

  @Test
  void withoutAKeyNothingIsSent() throws Exception {
    Files.delete(secretFile);
    assertThat(channel.deliver(NOTICE))
        .isEqualTo(
            Outcome.Later.because("cannot read %s (NoSuchFileException)".formatted(secretFile)));

    Files.writeString(secretFile, " \n");
    assertThat(channel.deliver(NOTICE)).isEqualTo(Outcome.Later.because(secretFile + " is empty"));

    assertThat(receiver.requests).isEmpty();
  }

  @Test
  void aBusyReceiverSaysWhenToComeAgain() throws Exception {
    receiver.answer(new TestingReceiver.Answer(503, "", Map.of("Retry-After", "7")));

    assertThat(channel.deliver(NOTICE))
        .isEqualTo(
            new Outcome.Later(
                receiver.host() + " answers HTTP 503", Optional.of(Duration.ofSeconds(7))));
  }

  @Test
  void whatHasMovedIsNotFollowed() throws Exception {
    receiver.answer(
        new TestingReceiver.Answer(302, "", Map.of("Location", receiver.url("/elsewhere"))));

    assertThat(channel.deliver(NOTICE))
        .isEqualTo(new Outcome.Refused(receiver.host() + " answers HTTP 302"));
    assertThat(receiver.requests).hasSize(1);
  }

  @Test
  void aDeadReceiverIsToldByItsHostOnly() throws Exception {
    String host = receiver.host();
    receiver.close();

    assertThat(channel.deliver(NOTICE))
        .isEqualTo(Outcome.Later.because("no answer from %s: ConnectException".formatted(host)));
  }
}
