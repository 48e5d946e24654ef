package dev.drydock.maintenance.notify;

import dev.drydock.maintenance.decide.NoticeEvent;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How one channel is set up. Settings that make no sense are refused with an {@link
 * IllegalArgumentException} that names the setting.
 *
 * @param name unique among the channels; by default one for its type
 * @param url where a webhook is; of {@code sns}, an endpoint instead of Amazon's own
 * @param urlFile holds the URL instead, because it is a secret
 * @param secretFile holds the key that a webhook's calls are signed with
 * @param events only these; empty: all
 * @param topics of {@code sns}: only these topics, by ARN or by its beginning and {@code *}; empty:
 *     every topic that a maintenance names
 */
public record ChannelSettings(
    Type type,
    String name,
    @Nullable String url,
    @Nullable Path urlFile,
    @Nullable Path secretFile,
    Set<NoticeEvent> events,
    Set<String> topics) {

  /** The type of the receiver. */
  public enum Type {
    SNS("sns", "SNSNotifier"),
    WEBHOOK("webhook", "WebhookNotifier"),
    SLACK("slack", "SlackNotifier");

    private final String word;
    private final String usualName;

    Type(String word, String usualName) {
      this.word = word;
      this.usualName = usualName;
    }

    /** In the configuration. */
    public String word() {
      return word;
    }

    public String usualName() {
      return usualName;
    }
  }

  public ChannelSettings {
    name = name.isEmpty() ? type.usualName() : name;
    events = Set.copyOf(events);
    topics = Set.copyOf(topics);
    String channel = "channel " + name + ": ";
    if (url != null && urlFile != null) {
      throw new IllegalArgumentException(channel + "give url or urlFile, not both");
    }
    if (url != null && parse(url).isEmpty()) {
      // The text itself may be a secret.
      throw new IllegalArgumentException(channel + "url is not an http:// or https:// address");
    }
    if (type == Type.SNS && (urlFile != null || secretFile != null)) {
      throw new IllegalArgumentException(
          channel + "urlFile and secretFile mean nothing to sns; remove them");
    }
    if (type != Type.SNS && !topics.isEmpty()) {
      throw new IllegalArgumentException(
          channel + "topics mean nothing to " + type.word() + "; remove them");
    }
    if (type != Type.SNS && url == null && urlFile == null) {
      throw new IllegalArgumentException(channel + type.word() + " needs url or urlFile");
    }
    if (type == Type.WEBHOOK && secretFile == null) {
      throw new IllegalArgumentException(
          channel + "webhook needs secretFile, the key that its calls are signed with");
    }
    if (type == Type.SLACK && secretFile != null) {
      throw new IllegalArgumentException(channel + "secretFile means nothing to slack; remove it");
    }
  }

  public static ChannelSettings of(Type type) {
    return new ChannelSettings(type, "", null, null, null, Set.of(), Set.of());
  }

  public static ChannelSettings webhook(String url, Path secretFile) {
    return new ChannelSettings(Type.WEBHOOK, "", url, null, secretFile, Set.of(), Set.of());
  }

  public static ChannelSettings slack(Path urlFile) {
    return new ChannelSettings(Type.SLACK, "", null, urlFile, null, Set.of(), Set.of());
  }

  public ChannelSettings named(String other) {
    return new ChannelSettings(type, other, url, urlFile, secretFile, events, topics);
  }

  public ChannelSettings only(Set<NoticeEvent> these) {
    return new ChannelSettings(type, name, url, urlFile, secretFile, these, topics);
  }

  /** Whether notices may go to this topic. */
  boolean allows(String topic) {
    return topics.isEmpty()
        || topics.stream()
            .anyMatch(
                each ->
                    each.endsWith("*")
                        ? topic.startsWith(each.substring(0, each.length() - 1))
                        : topic.equals(each));
  }

  boolean wants(NoticeEvent event) {
    return events.isEmpty() || events.contains(event);
  }

  static Optional<URI> parse(String url) {
    try {
      URI uri = URI.create(url);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      return http && uri.getHost() != null ? Optional.of(uri) : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.empty(); // and the exception would tell the text
    }
  }

  /** Without what may be a secret. */
  @Override
  public String toString() {
    String to =
        url == null
            ? Objects.toString(urlFile, "Amazon")
            : parse(url).map(URI::getHost).orElse("?");
    return "%s (%s to %s)".formatted(name, type.word(), to);
  }
}
