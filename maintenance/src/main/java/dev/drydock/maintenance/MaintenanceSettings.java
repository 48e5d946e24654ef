package dev.drydock.maintenance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

  /** What an uncordon by hand does to the maintenances of a node. */
  public enum Uncordon {
    COMPLETE,
    RECORDON
  }

  // Who writes a file wants its deadline kept: a file that lost the key is not taken for 5 hours.
  public static final Setting<Duration> SLA_PERIOD =
      Setting.of(
              "slaPeriod",
              SettingKind.DURATION,
              "5h",
              "How long a started maintenance may drain before what remains may be removed by force."
                  + " A file must say it.")
          .mustBeInFile();

  public static final Setting<Uncordon> UNCORDON_DURING_MAINTENANCE =
      Setting.of(
          "uncordonDuringMaintenance",
          SettingKind.word(Uncordon.COMPLETE),
          "complete",
          "What an uncordon by hand means for the maintenances of the node:"
              + " complete ends them, recordon cordons it again.");

  public static final Setting<List<BudgetLevel>> BUDGETS =
      Setting.of(
          "budgets",
          SettingKind.list(MaintenanceSettings::budgets),
          "[]",
          "How many nodes may be out of service at once, whatever campaigns and classes allow;"
              + " see below.");

  public static final Setting<List<ChannelSettings>> CHANNELS =
      Setting.of(
          "notifications.channels",
          SettingKind.list(MaintenanceSettings::channels).shownAs(MaintenanceSettings::hideUrls),
          "[]",
          "Where notices go besides the topics that maintenances name; see below.");

  public static final Setting<Duration> RETENTION =
      Setting.of(
          "notifications.retention",
          SettingKind.DURATION,
          "24h",
          "How long it is tried to deliver a notice; then it is dropped.");

  public static final List<Setting<?>> ALL =
      List.of(SLA_PERIOD, UNCORDON_DURING_MAINTENANCE, BUDGETS, CHANNELS, RETENTION);

  private MaintenanceSettings() {}

  private static List<BudgetLevel> budgets(JsonNode list, SettingProblems problems) {
    List<BudgetLevel> budgets = new ArrayList<>();
    if (!list.isArray()) {
      problems.add("", "should be a list like [{maxUnavailable: 10%}]");
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
      problems.add("", "should be a list of channels");
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; list.isArray() && i < list.size(); i++) {
      String place = "[" + i + "]";
      Optional<ChannelSettings> channel = channel(list.get(i), place, problems);
      if (channel.isPresent() && !names.add(channel.get().name())) {
        problems.add(
            place + ".name", "two channels are called " + channel.get().name() + "; name them");
      }
      channel.ifPresent(channels::add);
    }
    return channels;
  }

  private static Optional<ChannelSettings> channel(
      JsonNode channel, String place, SettingProblems problems) {
    if (!channel.isObject()) {
      problems.add(place, "should be an object with keys, like {type: slack, urlFile: ...}");
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
                          .formatted(
                              each.asText(), SettingProblems.nearest(each.asText(), known))));
    }
    return events;
  }

  private static Set<String> topics(JsonNode list, String place, SettingProblems problems) {
    Set<String> topics = new HashSet<>();
    if (!list.isMissingNode() && !list.isArray()) {
      problems.add(place, "should be a list of topics like [arn:aws:sns:eu-central-1:1:ops.fifo]");
    }
    for (JsonNode each : list) {
      if (each.asText("").startsWith("arn:")) {
        topics.add(each.asText());
      } else {
        problems.add(
            place,
            "\"%s\" should be the ARN of a topic, or its beginning and *".formatted(each.asText()));
      }
    }
    return topics;
  }

  /** Whoever knows the path of a chat's webhook may write to the chat. */
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
