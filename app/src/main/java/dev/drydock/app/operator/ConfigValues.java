package dev.drydock.app.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.drydock.app.operator.EffectiveConfig.Setting;
import dev.drydock.app.operator.OperatorConfig.Uncordon;
import dev.drydock.cli.Durations;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import dev.drydock.maintenance.notify.ChannelSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings as what they mean. What is wrong is added to the problems with its source, and
 * read as something harmless.
 */
final class ConfigValues {
  private static final int LAST_PORT = 65_535;
  private static final Pattern ADDRESS = Pattern.compile("(.*):(\\d{1,5})");
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
  private static final List<String> BUDGET_KEYS = List.of("key", "maxUnavailable");
  private static final List<String> CHANNEL_KEYS =
      List.of("type", "name", "url", "urlFile", "secretFile", "events");

  private final Map<ConfigKey, Setting> settings;
  private final List<String> problems;

  ConfigValues(Map<ConfigKey, Setting> settings, List<String> problems) {
    this.settings = settings;
    this.problems = problems;
  }

  OperatorConfig config() {
    return new OperatorConfig(
        time(ConfigKey.SLA_PERIOD),
        word(ConfigKey.UNCORDON_DURING_MAINTENANCE, Uncordon.COMPLETE),
        isOn(ConfigKey.LEADER_ELECT),
        time(ConfigKey.SYNC_PERIOD),
        budgets(),
        new OperatorConfig.Lifecycle(time(ConfigKey.LIFECYCLE_UNCLAIMED_AFTER)),
        Optional.of(text(ConfigKey.CERT_DIR)).filter(path -> !path.isBlank()).map(Path::of),
        new OperatorConfig.Notifications(channels(), time(ConfigKey.NOTIFICATIONS_RETENTION)),
        new OperatorConfig.Metrics(
            port(ConfigKey.METRICS_PORT),
            isOn(ConfigKey.METRICS_TLS),
            isOn(ConfigKey.METRICS_PER_OBJECT)),
        new OperatorConfig.Health(address(ConfigKey.HEALTH_BIND_ADDRESS)),
        new OperatorConfig.Webhook(
            isOn(ConfigKey.WEBHOOK_ENABLED),
            port(ConfigKey.WEBHOOK_PORT),
            name(ConfigKey.WEBHOOK_CERT_SECRET)));
  }

  private JsonNode value(ConfigKey key) {
    Setting setting = settings.get(key);
    return setting == null ? MissingNode.getInstance() : setting.value();
  }

  private String text(ConfigKey key) {
    JsonNode value = value(key);
    if (value.isContainerNode()) {
      problem(key, "", "should be one value");
      return "";
    }
    return value.asText();
  }

  private void problem(ConfigKey key, String below, String what) {
    Setting setting = settings.get(key);
    String source = setting == null ? "" : setting.source();
    // A flag or a variable is as good as the key's own name.
    boolean named = source.equals(key.flag()) || source.equals(key.variable());
    String path = named ? below : ": " + key.path() + below;
    problems.add(source + path + ": " + what);
  }

  private void wanted(ConfigKey key, String wanted) {
    problem(key, "", "\"" + value(key).asText() + "\" should be " + wanted);
  }

  private Duration time(ConfigKey key) {
    String text = text(key);
    Duration time = Durations.parse(text);
    if (time != null && time.isPositive()) {
      return time;
    }
    wanted(key, "a time above 0, like 5h or 1h30m");
    return Duration.ofHours(1);
  }

  private boolean isOn(ConfigKey key) {
    String text = text(key);
    if (!key.kind().words().contains(text)) {
      wanted(key, "true or false");
    }
    return Boolean.parseBoolean(text);
  }

  private int port(ConfigKey key) {
    Integer port = port(text(key));
    if (port == null) {
      wanted(key, "a port from 0 to " + LAST_PORT);
      return 0;
    }
    return port;
  }

  private static @Nullable Integer port(String text) {
    if (!text.matches("\\d{1,5}")) {
      return null;
    }
    int port = Integer.parseInt(text);
    return port <= LAST_PORT ? port : null;
  }

  private InetSocketAddress address(ConfigKey key) {
    Matcher parts = ADDRESS.matcher(text(key));
    Integer port = parts.matches() ? port(parts.group(2)) : null;
    if (port == null) {
      wanted(key, "an address like :8081 or 127.0.0.1:8081");
      return new InetSocketAddress(0);
    }
    String host = parts.group(1);
    return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
  }

  private String name(ConfigKey key) {
    String text = text(key);
    if (!NAME.matcher(text).matches()) {
      wanted(key, "a name of lower case letters, digits, '-' and '.'");
    }
    return text;
  }

  private <E extends Enum<E>> E word(ConfigKey key, E otherwise) {
    String text = text(key);
    if (!key.kind().words().contains(text)) {
      wanted(key, String.join(" or ", key.kind().words()));
      return otherwise;
    }
    return Enum.valueOf(otherwise.getDeclaringClass(), text.toUpperCase(Locale.ROOT));
  }

  private List<BudgetLevel> budgets() {
    List<BudgetLevel> budgets = new ArrayList<>();
    JsonNode list = value(ConfigKey.BUDGETS);
    if (!list.isArray()) {
      problem(ConfigKey.BUDGETS, "", "should be a list like [{maxUnavailable: 10%}]");
    }
    for (int i = 0; list.isArray() && i < list.size(); i++) {
      String place = "[" + i + "]";
      checkKeys(ConfigKey.BUDGETS, list.get(i), place, BUDGET_KEYS);
      String most = list.get(i).path("maxUnavailable").asText("");
      try {
        budgets.add(BudgetLevel.of(new DomainBudget(given(list.get(i), "key"), most)));
      } catch (IllegalArgumentException wrong) {
        String what = String.valueOf(wrong.getMessage());
        problem(ConfigKey.BUDGETS, place + ".maxUnavailable", what);
      }
    }
    return budgets;
  }

  private void checkKeys(ConfigKey key, JsonNode object, String place, List<String> known) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (!known.contains(entry.getKey())) {
        String meant = ConfigReader.nearest(entry.getKey(), known);
        problem(key, place + "." + entry.getKey(), "there is no such key; " + meant);
      }
    }
  }

  private List<ChannelSettings> channels() {
    List<ChannelSettings> channels = new ArrayList<>();
    JsonNode list = value(ConfigKey.NOTIFICATIONS_CHANNELS);
    if (!list.isArray()) {
      problem(ConfigKey.NOTIFICATIONS_CHANNELS, "", "should be a list of channels");
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; list.isArray() && i < list.size(); i++) {
      String place = "[" + i + "]";
      Optional<ChannelSettings> channel = channel(list.get(i), place);
      if (channel.isPresent() && !names.add(channel.get().name())) {
        channelProblem(
            place + ".name", "two channels are called " + channel.get().name() + "; name them");
      }
      channel.ifPresent(channels::add);
    }
    return channels;
  }

  private void channelProblem(String place, String what) {
    problem(ConfigKey.NOTIFICATIONS_CHANNELS, place, what);
  }

  private Optional<ChannelSettings> channel(JsonNode channel, String place) {
    if (!channel.isObject()) {
      channelProblem(place, "should be an object with keys, like {type: slack, urlFile: ...}");
    }
    checkKeys(ConfigKey.NOTIFICATIONS_CHANNELS, channel, place, CHANNEL_KEYS);
    Set<NoticeEvent> events = events(channel.path("events"), place + ".events");
    return type(channel, place)
        .flatMap(
            type -> {
              try {
                return Optional.of(
                    new ChannelSettings(
                        type,
                        channel.path("name").asText(""),
                        given(channel, "url"),
                        file(channel, "urlFile"),
                        file(channel, "secretFile"),
                        events));
              } catch (IllegalArgumentException wrong) {
                channelProblem(place, String.valueOf(wrong.getMessage()));
                return Optional.empty();
              }
            });
  }

  private Optional<ChannelSettings.Type> type(JsonNode channel, String place) {
    String text = channel.path("type").asText("");
    Optional<ChannelSettings.Type> type =
        Arrays.stream(ChannelSettings.Type.values())
            .filter(each -> each.word().equals(text))
            .findFirst();
    if (channel.isObject() && type.isEmpty()) {
      channelProblem(place + ".type", "\"" + text + "\" should be sns, webhook or slack");
    }
    return type;
  }

  private static @Nullable String given(JsonNode channel, String key) {
    String text = channel.path(key).asText("");
    return text.isBlank() ? null : text;
  }

  private static @Nullable Path file(JsonNode channel, String key) {
    String text = given(channel, key);
    return text == null ? null : Path.of(text);
  }

  private Set<NoticeEvent> events(JsonNode list, String place) {
    Set<NoticeEvent> events = EnumSet.noneOf(NoticeEvent.class);
    List<String> known = Arrays.stream(NoticeEvent.values()).map(NoticeEvent::word).toList();
    if (!list.isMissingNode() && !list.isArray()) {
      channelProblem(place, "should be a list of events: " + String.join(", ", known));
    }
    for (JsonNode each : list) {
      Optional<NoticeEvent> event =
          Arrays.stream(NoticeEvent.values())
              .filter(any -> any.word().equals(each.asText()))
              .findFirst();
      event.ifPresentOrElse(
          events::add,
          () -> {
            String meant = ConfigReader.nearest(each.asText(), known);
            channelProblem(place, "there is no event \"" + each.asText() + "\"; " + meant);
          });
    }
    return events;
  }
}
