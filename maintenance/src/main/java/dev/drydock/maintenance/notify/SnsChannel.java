package dev.drydock.maintenance.notify;

import java.time.Clock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to the Amazon SNS FIFO topic that a maintenance names. Amazon's client is loaded with
 * the first notice, so that clusters without topics pay nothing for it.
 */
final class SnsChannel implements Channel {
  private final ChannelSettings settings;
  private final Supplier<SnsPublisher> opening;

  private @Nullable SnsPublisher publisher;

  SnsChannel(ChannelSettings settings, Clock clock) {
    this(settings, () -> SnsPublisher.open(settings.url(), clock));
  }

  SnsChannel(ChannelSettings settings, Supplier<SnsPublisher> opening) {
    this.settings = settings;
    this.opening = opening;
  }

  @Override
  public String name() {
    return settings.name();
  }

  @Override
  public boolean wants(Notice notice) {
    return !notice.subject().extras().topicArn().isEmpty()
        && (settings.events().isEmpty()
            ? notice.event().isForTopics()
            : settings.wants(notice.event()));
  }

  @Override
  public Outcome deliver(Notice notice) {
    String topic = notice.subject().extras().topicArn();
    if (!settings.allows(topic)) {
      return new Outcome.Refused(
          "amazonSNSTopicARN %s is not one of the topics of channel %s".formatted(topic, name()));
    }
    return publisher().publish(notice);
  }

  private synchronized SnsPublisher publisher() {
    if (publisher == null) {
      publisher = opening.get();
    }
    return publisher;
  }

  @Override
  public synchronized void close() {
    if (publisher != null) {
      publisher.close();
    }
  }
}
