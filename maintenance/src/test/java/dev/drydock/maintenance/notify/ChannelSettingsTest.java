package dev.drydock.maintenance.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.Notice.Extras;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChannelSettingsTest {
  private static final Path FILE = Path.of("secret");

  @ParameterizedTest
  @CsvSource({
    "webhook, ,, key, needs url or urlFile",
    "webhook, http://h/x, f, key, 'url or urlFile, not both'",
    "webhook, http://h/x, ,, needs secretFile",
    "webhook, ftp://h/hidden, , key, 'url is not an http:// or https:// address'",
    "webhook, 'http://h/hid den', , key, 'url is not an http:// or https:// address'",
    "webhook, https:hidden, , key, 'url is not an http:// or https:// address'",
    "slack, ,,, needs url or urlFile",
    "slack, http://h/x, , key, secretFile means nothing to slack",
    "sns, , f,, urlFile and secretFile mean nothing to sns",
    "sns, ,, key, urlFile and secretFile mean nothing to sns"
  })
  void nonsenseIsRefusedByNameAndWithoutSecrets(
      String type,
      @Nullable String url,
      @Nullable Path urlFile,
      @Nullable Path secretFile,
      String why) {
    ChannelSettings.Type known = ChannelSettings.Type.valueOf(type.toUpperCase(Locale.ROOT));

    assertThatThrownBy(
            () -> new ChannelSettings(known, "mine", url, urlFile, secretFile, Set.of(), Set.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("channel mine: ")
        .hasMessageContaining(why)
        .hasMessageNotContaining("hid");
  }

  @Test
  void theTextHidesAllOfAnAddressButItsHost() {
    ChannelSettings settings =
        ChannelSettings.webhook("https://user:pass@hooks.example.com/T1/secret?k=v", FILE);

    assertThat(settings).hasToString("WebhookNotifier (webhook to hooks.example.com)");
  }

  @Test
  void channelsOfOneNameAreRefused() {
    ChannelSettings one = ChannelSettings.webhook("http://a/", FILE);
    ChannelSettings other = ChannelSettings.webhook("http://b/", FILE);

    assertThatThrownBy(() -> Channels.open(List.of(one, other), Clock.systemUTC()))
        .hasMessage("two channels are called WebhookNotifier; give each its own name");
    assertThat(Channels.open(List.of(one, other.named("b")), Clock.systemUTC()))
        .extracting(Channel::name)
        .containsExactly("WebhookNotifier", "b", "SNSNotifier");
  }

  @Test
  void aChannelWantsTheEventsItWasSetUpFor() {
    Channel channel =
        Channels.open(
                List.of(ChannelSettings.slack(FILE).only(Set.of(NoticeEvent.SLA_EXPIRED))),
                Clock.systemUTC())
            .getFirst();

    assertThat(channel.wants(TestNotices.notice(NoticeEvent.SLA_EXPIRED))).isTrue();
    assertThat(channel.wants(TestNotices.notice(NoticeEvent.SLA_STARTED))).isFalse();
  }

  @Test
  void amazonWantsWhatNamesATopic() {
    Channel sns = Channels.open(List.of(), Clock.systemUTC()).getFirst();

    assertThat(sns.name()).isEqualTo("SNSNotifier");
    assertThat(sns.wants(TestNotices.toTopic(TestNotices.TOPIC))).isTrue();
    assertThat(sns.wants(TestNotices.notice(NoticeEvent.SLA_STARTED))).isFalse();
    assertThat(TestNotices.notice(NoticeEvent.SLA_STARTED).subject().extras())
        .isEqualTo(Extras.NONE);
  }
}
