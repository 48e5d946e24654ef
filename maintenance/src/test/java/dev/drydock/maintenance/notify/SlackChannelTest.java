package dev.drydock.maintenance.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.decide.CompletionKind;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.Channel.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlackChannelTest {
  private static final String SECRET_PATH = "/services/T000/B000/XXXX";
  private static final Notice NOTICE = TestNotices.notice(NoticeEvent.MAINTENANCE_COMPLETE);

  @TempDir private Path folder;
  private TestingReceiver receiver;
  private Path urlFile;
  private Channel channel;

  @BeforeEach
  void start() throws IOException {
    receiver = new TestingReceiver();
    urlFile = Files.writeString(folder.resolve("url"), receiver.url(SECRET_PATH) + "\n");
    channel = new SlackChannel(ChannelSettings.slack(urlFile), Clock.systemUTC());
  }

  @AfterEach
  void stop() {
    channel.close();
    receiver.close();
  }

  @Test
  void sendsOneLineOfText() throws Exception {
    assertThat(channel.deliver(NOTICE)).isEqualTo(new Outcome.Delivered());
    assertThat(channel.deliver(NOTICE.completedBy(CompletionKind.CANCELLED)))
        .isEqualTo(new Outcome.Delivered());

    TestingReceiver.Request request = receiver.requests.getFirst();
    assertThat(request.target()).isEqualTo(SECRET_PATH);
    assertThat(request.header("Content-Type")).isEqualTo("application/json");
    assertThat(receiver.requests)
        .extracting(TestingReceiver.Request::text)
        .containsExactly(
            "{\"text\":\"Maintenance fw-17 completed on [node-1]\"}",
            "{\"text\":\"Maintenance fw-17 completed on [node-1] (it was cancelled)\"}");
  }

  @Test
  void theAddressMayBeInTheSettings() throws Exception {
    ChannelSettings settings =
        new ChannelSettings(
            ChannelSettings.Type.SLACK,
            "",
            receiver.url("/plain"),
            null,
            null,
            java.util.Set.of(),
            java.util.Set.of());
    try (Channel plain = new SlackChannel(settings, Clock.systemUTC())) {
      assertThat(plain.deliver(NOTICE)).isEqualTo(new Outcome.Delivered());
    }
    assertThat(receiver.requests.getFirst().target()).isEqualTo("/plain");
  }

  @Test
  void aRefusalDoesNotTellTheAddress() throws Exception {
    receiver.answer(new TestingReceiver.Answer(403));

    assertThat(channel.deliver(NOTICE))
        .isEqualTo(new Outcome.Refused(receiver.host() + " answers HTTP 403"));
  }

  @Test
  void whatIsNoAddressWaitsForSomebodyToMendItAndIsNotTold() throws Exception {
    Files.writeString(urlFile, "hooks/T000/XXXX");

    assertThat(channel.deliver(NOTICE))
        .isEqualTo(Outcome.Later.because(urlFile + " holds no http:// or https:// address"));
  }
}
