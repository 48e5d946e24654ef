package dev.drydock.maintenance.notify;

import dev.drydock.kube.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;

/** Posts one line of text to an incoming webhook of Slack, or of anything that understands it. */
final class SlackChannel implements Channel {
  private final ChannelSettings settings;
  private final HttpSender sender;

  SlackChannel(ChannelSettings settings, Clock clock) {
    this.settings = settings;
    this.sender = new HttpSender(clock);
  }

  @Override
  public String name() {
    return settings.name();
  }

  @Override
  public boolean wants(Notice notice) {
    return settings.wants(notice.event());
  }

  @Override
  public Outcome deliver(Notice notice) throws InterruptedException {
    String text =
        notice.text()
            + switch (notice.completion()) {
              case ORDINARY -> "";
              case CANCELLED -> " (it was cancelled)";
              case ENDED_EARLY -> " (it was ended early: the node was uncordoned)";
            };
    String body = Json.object().put("text", text).toString();
    try {
      return sender.post(
          SecretFiles.address(settings),
          body.getBytes(StandardCharsets.UTF_8),
          Map.of("Content-Type", "application/json"));
    } catch (IOException noAddress) {
      return Outcome.Later.because(String.valueOf(noAddress.getMessage()));
    }
  }

  @Override
  public void close() {
    sender.close();
  }
}
