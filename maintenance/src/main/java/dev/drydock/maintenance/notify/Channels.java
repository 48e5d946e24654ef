package dev.drydock.maintenance.notify;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes channels from their settings. Nothing is connected before the first notice. */
public final class Channels {
  private Channels() {}

  /**
   * Always has one for the topics that maintenances name, also if none is configured. Refuses two
   * channels of one name: a pending notice could not be assigned to one of them.
   */
  public static List<Channel> open(List<ChannelSettings> settings, Clock clock) {
    List<ChannelSettings> all = new ArrayList<>(settings);
    if (settings.stream().noneMatch(each -> each.type() == ChannelSettings.Type.SNS)) {
      all.add(ChannelSettings.of(ChannelSettings.Type.SNS));
    }
    Set<String> names = new HashSet<>();
    for (ChannelSettings each : all) {
      if (!names.add(each.name())) {
        throw new IllegalArgumentException("duplicate channel name %s".formatted(each.name()));
      }
    }
    return all.stream().map(each -> open(each, clock)).toList();
  }

  private static Channel open(ChannelSettings settings, Clock clock) {
    return switch (settings.type()) {
      case SNS -> new SnsChannel(settings, clock);
      case WEBHOOK -> new WebhookChannel(settings, clock);
      case SLACK -> new SlackChannel(settings, clock);
    };
  }
}
