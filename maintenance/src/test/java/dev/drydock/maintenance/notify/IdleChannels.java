package dev.drydock.maintenance.notify;

import dev.drydock.maintenance.decide.NoticeEvent;
import java.time.Clock;
import java.util.List;

/** What an operator does with channels in a cluster where no maintenance names a topic. */
final class IdleChannels {
  private IdleChannels() {}

  public static void main(String[] arguments) {
    List<Channel> channels = Channels.open(List.of(), Clock.systemUTC());
    boolean wanted =
        channels.stream()
            .anyMatch(channel -> channel.wants(TestNotices.notice(NoticeEvent.SLA_STARTED)));
    channels.forEach(Channel::close);
    System.out.println(wanted ? "wanted" : "not wanted");
  }
}
