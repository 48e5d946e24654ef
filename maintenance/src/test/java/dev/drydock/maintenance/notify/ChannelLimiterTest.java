package dev.drydock.maintenance.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.Channel.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChannelLimiterTest {
  private static final Notice NOTICE = TestNotices.notice(NoticeEvent.SLA_STARTED);

  private final TestingChannel channel = new TestingChannel("receiver");
  private final ChannelLimiter limiter = new ChannelLimiter(channel, Clock.systemUTC());

  private final List<String> told = new ArrayList<>();
  private final ChannelLimiter.Caller caller =
      new ChannelLimiter.Caller() {
        @Override
        public void turn() {
          told.add("turn");
        }

        @Override
        public void bug(RuntimeException shown) {
          told.add(shown.toString());
        }
      };

  @Test
  void isOpen() throws InterruptedException {
    assertThat(limiter.pause()).isZero();
    assertThat(limiter.deliver(NOTICE, caller)).contains(new Outcome.Delivered());
  }

  @Test
  void nobodyPassesWhileTheReceiverWantsToBeLeftAlone() throws InterruptedException {
    Outcome busy = new Outcome.Later("busy", Optional.of(Duration.ofHours(1)));
    channel.that(notice -> busy);
    assertThat(limiter.deliver(NOTICE, caller)).contains(busy);
    channel.recover();

    assertThat(limiter.pause()).isPositive();
    assertThat(limiter.deliver(NOTICE, caller)).isEmpty();
    assertThat(channel.tries()).isEqualTo(1);
  }

  @Test
  void staysOpenAfterAFailureThatNamesNoTime() throws InterruptedException {
    channel.that(TestingChannel.DEAD);
    var _ = limiter.deliver(NOTICE, caller);
    channel.recover();

    assertThat(limiter.deliver(NOTICE, caller)).contains(new Outcome.Delivered());
  }

  @Test
  void aBugOfAChannelIsAFailureThatTellsNoSecret() throws InterruptedException {
    channel.that(
        notice -> {
          throw new IllegalStateException("https://hidden");
        });

    assertThat(limiter.deliver(NOTICE, caller))
        .contains(Outcome.Later.because("failed with java.lang.IllegalStateException"));
    assertThat(told)
        .hasSize(1)
        .allMatch(line -> line.endsWith("failed with java.lang.IllegalStateException"));
  }
}
