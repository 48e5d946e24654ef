package dev.drydock.maintenance.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.Channel.Outcome;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChannelLimiterTest {
  private static final Notice NOTICE = TestNotices.notice(NoticeEvent.SLA_STARTED);

  private final TestingChannel channel = new TestingChannel("receiver");
  private final ChannelLimiter limiter = new ChannelLimiter(channel);

  @Test
  void isOpen() throws InterruptedException {
    assertThat(limiter.pause()).isZero();
    assertThat(limiter.deliver(NOTICE)).contains(new Outcome.Delivered());
  }

  @Test
  void nobodyPassesWhileTheReceiverWantsToBeLeftAlone() throws InterruptedException {
    Outcome busy = new Outcome.Later("busy", Optional.of(Duration.ofHours(1)));
    channel.that(notice -> busy);
    assertThat(limiter.deliver(NOTICE)).contains(busy);
    channel.recover();

    assertThat(limiter.pause()).isPositive();
    assertThat(limiter.deliver(NOTICE)).isEmpty();
    assertThat(channel.tries()).isEqualTo(1);
  }

  @Test
  void staysOpenAfterAFailureThatNamesNoTime() throws InterruptedException {
    channel.that(TestingChannel.DEAD);
    var _ = limiter.deliver(NOTICE);
    channel.recover();

    assertThat(limiter.deliver(NOTICE)).contains(new Outcome.Delivered());
  }

  @Test
  void aBugOfAChannelIsAFailureThatTellsNoSecret() throws InterruptedException {
    channel.that(
        notice -> {
          throw new IllegalStateException("https://hidden");
        });

    assertThat(limiter.deliver(NOTICE))
        .contains(Outcome.Later.because("failed by java.lang.IllegalStateException"));
  }
}
