package dev.drydock.maintenance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.NearestName;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import dev.drydock.maintenance.notify.ChannelSettings;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import dev.drydock.serve.feature.SettingProblems;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operator's settings for maintenances, campaigns and notices. */
public final class MaintenanceSettings {
  private static final List<String> BUDGET_KEYS = List.of("key", "maxUnavailable");
  private static final List<String> CHANNEL_KEYS =
      List.of("type", "name", "url", "urlFile", "secretFile", "events", "topics");

  /** What happens to the maintenances of a node when someone uncordons it. */
  public enum Uncordon {
    COMPLETE,
    RECORDON
  }

  // Required in a file, so that a file that lost the key does not silently mean 5 hours.
  public static final Setting<Duration> SLA_PERIOD =
      Setting.of(
              "slaPeriod",
              SettingKind.DURATION,
              "5h",
              "The SLA period: how long a started maintenance may drain before remaining pods may be removed by force. Required in a file.")
          .mustBeInFile();

  public static final Setting<Uncordon> UNCORDON_DURING_MAINTENANCE =
      Setting.of(
          "uncordonDuringMaintenance",
          SettingKind.word(Uncordon.COMPLETE),
          "complete",
          "What happens when someone uncordons a node during maintenance: complete ends its maintenances, recordon cordons it again.");

  public static final Setting<Boolean> JOB_LOGS =
      Setting.of(
          "jobLogs",
          SettingKind.SWITCH,
          "true",
          "Copy the end of a failed Job's log into the status of its maintenance.");

  public static final Setting<List<BudgetLevel>> BUDGETS =
      Setting.of(
          "budgets",
          SettingKind.list(MaintenanceSettings::budgets),
          "[]",
          "How many nodes may be out of service at once, whatever campaigns and classes allow."
              + " A list in YAML, described in docs/operator.md.");

  public static final Setting<List<ChannelSettings>> CHANNELS =
      Setting.of(
          "notifications.channels",
          SettingKind.list(MaintenanceSettings::channels).shownAs(MaintenanceSettings::hideUrls),
          "[]",
          "Channels for notices, in addition to the SNS topics of maintenances. A list in YAML, described in docs/operator.md.");

  public static final Setting<Duration> RETENTION =
      Setting.of(
          "notifications.retention",
          SettingKind.DURATION,
          "24h",
          "How long delivery of a notice is retried before it is dropped.");

  public static final Setting<Boolean> METRICS_PER_OBJECT =
      Setting.of(
          "metrics.perObject",
          SettingKind.SWITCH,
          "true",
          "Metrics have labels for each maintenance, node and owner, as dashboards expect; false for few series.");

  public static final Setting<Duration> METRICS_KEEP_GONE =
      Setting.of(
          "metrics.keepGone",
          SettingKind.DURATION,
          "24h",
          "How long metrics of maintenances that are gone are kept, with metrics.perObject.");

  public static final Setting<Integer> METRICS_MOST_GONE =
      Setting.of(
          "metrics.mostGone",
          SettingKind.COUNT,
          "1000",
          "Of how many maintenances that are gone metrics are kept, with metrics.perObject.");

  public static final List<Setting<?>> ALL =
      List.of(
          SLA_PERIOD,
          UNCORDON_DURING_MAINTENANCE,
          JOB_LOGS,
          BUDGETS,
          CHANNELS,
          RETENTION,
          METRICS_PER_OBJECT,
          METRICS_KEEP_GONE,
          METRICS_MOST_GONE);

  private MaintenanceSettings() {}

  private static List<BudgetLevel> budgets(JsonNode list, SettingProblems problems) {
    List<BudgetLevel> budgets = new ArrayList<>();
    if (!list.isArray()) {
      problems.add("", "must be a list, for example [{maxUnavailable: 10%}]");
    }
    for (int i = 0; list.isArray() && i < list.size(); i++) {
      String place = "[" + i + "]";
      problems.checkKeys(list.get(i), place, BUDGET_KEYS);
      String most = list.get(i).path("maxUnavailable").asText("");
      try {
        budgets.add(BudgetLevel.of(new DomainBudget(given(list.get(i), "key"), most)));
      } catch (IllegalArgumentException wrong) {
        problems.add(place + ".maxUnavailable", String.valueOf(wrong.getMessage()));
      }
    }
    return budgets;
  }

  private static List<ChannelSettings> channels(JsonNode list, SettingProblems problems) {
    List<ChannelSettings> channels = new ArrayList<>();
    if (!list.isArray()) {
      problems.add("", "must be a list of channels");
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; list.isArray() && i < list.size(); i++) {
      String place = "[" + i + "]";
      Optional<ChannelSettings> channel = channel(list.get(i), place, problems);
      if (channel.isPresent() && !names.add(channel.get().name())) {
        problems.add(place + ".name", "duplicate channel name " + channel.get().name());
      }
      channel.ifPresent(channels::add);
    }
    return channels;
  }

  private static Optional<ChannelSettings> channel(
      JsonNode channel, String place, SettingProblems problems) {
    if (!channel.isObject()) {
      problems.add(place, "must be a mapping, for example {type: slack, urlFile: ...}");
    }
    problems.checkKeys(channel, place, CHANNEL_KEYS);
    Set<NoticeEvent> events = events(channel.path("events"), place + ".events", problems);
    return type(channel, place, problems)
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
                        events,
                        topics(channel.path("topics"), place + ".topics", problems)));
              } catch (IllegalArgumentException wrong) {
                problems.add(place, String.valueOf(wrong.getMessage()));
                return Optional.empty();
              }
            });
  }

  private static Optional<ChannelSettings.Type> type(
      JsonNode channel, String place, SettingProblems problems) {
    String text = channel.path("type").asText("");
    Optional<ChannelSettings.Type> type =
        Arrays.stream(ChannelSettings.Type.values())
            .filter(each -> each.word().equals(text))
            .findFirst();
    if (channel.isObject() && type.isEmpty()) {
      problems.add(place + ".type", "\"" + text + "\" should be sns, webhook or slack");
    }
    return type;
  }

  private static @Nullable String given(JsonNode object, String key) {
    String text = object.path(key).asText("");
    return text.isBlank() ? null : text;
  }

  private static @Nullable Path file(JsonNode channel, String key) {
    String text = given(channel, key);
    return text == null ? null : Path.of(text);
  }

  private static Set<NoticeEvent> events(JsonNode list, String place, SettingProblems problems) {
    Set<NoticeEvent> events = EnumSet.noneOf(NoticeEvent.class);
    List<String> known = Arrays.stream(NoticeEvent.values()).map(NoticeEvent::word).toList();
    if (!list.isMissingNode() && !list.isArray()) {
      problems.add(place, "should be a list of events: " + String.join(", ", known));
    }
    for (JsonNode each : list) {
      Arrays.stream(NoticeEvent.values())
          .filter(any -> any.word().equals(each.asText()))
          .findFirst()
          .ifPresentOrElse(
              events::add,
              () ->
                  problems.add(
                      place,
                      "there is no event \"%s\"; %s"
                          .formatted(each.asText(), NearestName.meant(each.asText(), known))));
    }
    return events;
  }

  private static Set<String> topics(JsonNode list, String place, SettingProblems problems) {
    Set<String> topics = new HashSet<>();
    if (!list.isMissingNode() && !list.isArray()) {
      problems.add(
          place, "must be a list of topics, such as [arn:aws:sns:eu-central-1:1:ops.fifo]");
    }
    for (JsonNode each : list) {
      if (each.asText("").startsWith("arn:")) {
        topics.add(each.asText());
      } else {
        problems.add(
            place,
            "\"%s\" must be the ARN of a topic, or its beginning and *".formatted(each.asText()));
      }
    }
    return topics;
  }

  /** The path of a chat's webhook is a secret: it grants the right to write to the chat. */
  private static JsonNode hideUrls(JsonNode channels) {
    JsonNode shown = channels.deepCopy();
    shown.forEach(
        channel -> {
          if (channel.hasNonNull("url")) {
            URI url = URI.create(channel.path("url").asText());
            ((ObjectNode) channel)
                .put("url", url.getScheme() + "://" + url.getAuthority() + "/...");
          }
        });
    return shown;
  }
}
