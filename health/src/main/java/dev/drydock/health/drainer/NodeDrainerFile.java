package dev.drydock.health.drainer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.config.TomlTable;
import dev.drydock.health.customdrain.CustomDrainConfig;
import dev.drydock.health.customdrain.decide.CustomDrainRules;
import dev.drydock.health.customdrain.decide.CustomDrainRules.Reported;
import dev.drydock.health.drainer.decide.DrainMode;
import dev.drydock.health.drainer.decide.DrainRules;
import dev.drydock.health.drainer.decide.NamePattern;
import dev.drydock.health.drainer.decide.StuckPods;
import dev.drydock.health.resource.ResourceTemplate;
import dev.drydock.health.resource.ResourceTemplateInvalid;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads the TOML of the original's node drainer, with a few additional keys. */
public final class NodeDrainerFile {
  /** The namespaces that the original protects, and other usual ones of the system. */
  static final String SYSTEM_NAMESPACES =
      "^(nvsentinel|kube-system|gpu-operator|gmp-system|network-operator|skyhook|cert-manager"
          + "|monitoring|node-feature-discovery|nvidia-network-operator|nvidia-dra-driver"
          + "|gatekeeper-system|kueue-system|kai-scheduler|drydock-system)$";

  private static final String USER_NAMESPACES = "userNamespaces";
  private static final String POD_POLICIES = "podDrainPolicies";
  private static final String CUSTOM = "customDrain";

  private static final Set<String> KEYS =
      Set.of(
          "evictionTimeoutInSeconds",
          "systemNamespaces",
          "deleteAfterTimeoutMinutes",
          "notReadyTimeoutMinutes",
          "drainGPUPods",
          "partialDrainEnabled",
          "partialDrainEntityMetricEnabled",
          "allowCompletionMaxMinutes",
          "stuckPods",
          "drainDeadlineMinutes",
          "onDrainDeadline",
          "qps",
          "burst",
          USER_NAMESPACES,
          POD_POLICIES,
          CUSTOM);

  private static final Set<String> CUSTOM_KEYS =
      Set.of(
          "enabled",
          "templateMountPath",
          "templateFileName",
          "templateConfigMapName",
          "resource",
          "namespace",
          "apiGroup",
          "version",
          "kind",
          "statusConditionType",
          "statusConditionStatus",
          "timeout",
          "nodeSelector",
          "onTimeout",
          "failureConditionType",
          "failureConditionStatus",
          "drainer",
          "waitForKind");

  private static final List<String> NEEDED =
      List.of(
          "templateMountPath",
          "templateFileName",
          "namespace",
          "apiGroup",
          "version",
          "kind",
          "statusConditionType",
          "statusConditionStatus");

  /** About a year. */
  private static final int MOST_MINUTES = 60 * 24 * 365;

  private static final int MOST_SECONDS = MOST_MINUTES * 60;

  private final TomlTable root;
  private final TomlTable custom;

  private NodeDrainerFile(TomlTable root) {
    this.root = root;
    custom = root.table(CUSTOM, CUSTOM + ".");
  }

  /**
   * Reads a file.
   *
   * @throws ConfigFileInvalid if it cannot be used
   */
  public static NodeDrainerConfig read(Path file) {
    return new NodeDrainerFile(TomlTable.read(file)).config();
  }

  /** The configuration without a file: pods of all namespaces may complete. */
  public static NodeDrainerConfig defaults() {
    return parse("", "the default configuration");
  }

  public static NodeDrainerConfig parse(String text, String source) {
    return new NodeDrainerFile(TomlTable.parse(text, source)).config();
  }

  private NodeDrainerConfig config() {
    var _ = root.known(KEYS);
    // requests are limited by what the API server takes; a negative qps means no limit
    var _ = root.number("qps", 0, -MOST_SECONDS, MOST_SECONDS);
    var _ = root.number("burst", 0, 0, MOST_SECONDS);
    boolean leavesDrains = custom.json().path("enabled").asBoolean(false);
    DrainRules rules =
        new DrainRules(
            rules(leavesDrains),
            Duration.ofSeconds(root.number("evictionTimeoutInSeconds", 60, 0, MOST_SECONDS)),
            systemNamespaces(),
            root.isOn("drainGPUPods"),
            minutes("deleteAfterTimeoutMinutes", 60),
            minutes("allowCompletionMaxMinutes", 0),
            minutes("notReadyTimeoutMinutes", 5),
            root.word("stuckPods", "leave", StuckPods::find, StuckPods.words()),
            deadline());
    return new NodeDrainerConfig(
        rules,
        root.isOn("partialDrainEnabled"),
        root.isOn("partialDrainEntityMetricEnabled"),
        leavesDrains ? Optional.of(customDrain()) : Optional.empty());
  }

  private Duration minutes(String key, int otherwise) {
    return Duration.ofMinutes(root.number(key, otherwise, 0, MOST_MINUTES));
  }

  private List<DrainRules.Rule> rules(boolean leavesDrains) {
    boolean namespaces = !root.json().path(USER_NAMESPACES).isEmpty();
    boolean policies = !root.json().path(POD_POLICIES).isEmpty();
    if (namespaces && policies) {
      throw root.invalid("%s and %s exclude each other".formatted(USER_NAMESPACES, POD_POLICIES));
    }
    boolean some = !custom.text("nodeSelector").isEmpty();
    if (leavesDrains && some && !namespaces && !policies) {
      throw root.invalid(
          "customDrain.nodeSelector needs %s or %s, for the other nodes"
              .formatted(USER_NAMESPACES, POD_POLICIES));
    }
    if (leavesDrains && !some && (namespaces || policies)) {
      throw root.invalid(
          "customDrain and %s exclude each other without customDrain.nodeSelector"
              .formatted(namespaces ? USER_NAMESPACES : POD_POLICIES));
    }
    if (policies) {
      return podPolicies(root.json().path(POD_POLICIES));
    }
    return namespaces
        ? userNamespaces(root.json().path(USER_NAMESPACES))
        : List.of(
            new DrainRules.Rule(
                "", NamePattern.of("*"), LabelSelector.everything(), DrainMode.ALLOW_COMPLETION));
  }

  private List<DrainRules.Rule> userNamespaces(JsonNode list) {
    List<DrainRules.Rule> rules = new ArrayList<>();
    for (JsonNode each : list) {
      TomlTable rule =
          root.of(each, "%s[%d].".formatted(USER_NAMESPACES, rules.size()))
              .known(Set.of("name", "mode"));
      rules.add(
          new DrainRules.Rule(
              "", pattern(rule, "name", ""), LabelSelector.everything(), mode(rule)));
    }
    return rules;
  }

  private List<DrainRules.Rule> podPolicies(JsonNode list) {
    List<DrainRules.Rule> rules = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode each : list) {
      TomlTable rule =
          root.of(each, "%s[%d].".formatted(POD_POLICIES, rules.size()))
              .known(Set.of("name", "namespace", "podSelector", "mode"));
      String name = rule.text("name");
      if (name.isEmpty() || !names.add(name)) {
        throw rule.invalid("name must be there, and another one than that of other policies");
      }
      if (rule.text("podSelector").isBlank()) {
        throw rule.invalid("podSelector must not be empty");
      }
      rules.add(
          new DrainRules.Rule(
              name, pattern(rule, "namespace", "*"), selector(rule, "podSelector"), mode(rule)));
    }
    return rules;
  }

  private static NamePattern pattern(TomlTable rule, String key, String otherwise) {
    String text = rule.text(key, otherwise);
    if (text.isEmpty()) {
      throw rule.invalid(key + " is empty; write * for all namespaces");
    }
    try {
      return NamePattern.of(text);
    } catch (IllegalArgumentException malformed) {
      throw rule.invalid(key + ": " + malformed.getMessage());
    }
  }

  private static LabelSelector selector(TomlTable table, String key) {
    try {
      return LabelSelector.parse(table.text(key));
    } catch (IllegalArgumentException malformed) {
      throw table.invalid(key + ": " + malformed.getMessage());
    }
  }

  private static DrainMode mode(TomlTable rule) {
    return rule.word("mode", "", DrainMode::find, DrainMode.words());
  }

  private Pattern systemNamespaces() {
    String text = root.text("systemNamespaces", SYSTEM_NAMESPACES);
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException malformed) {
      throw root.invalid(
          "systemNamespaces is not a regular expression: " + malformed.getDescription());
    }
  }

  private DrainRules.Deadline deadline() {
    DrainPolicy.AtDeadline then =
        root.word(
            "onDrainDeadline",
            "fail",
            word ->
                switch (word) {
                  case "fail" -> Optional.of(DrainPolicy.AtDeadline.FAIL);
                  case "delete" -> Optional.of(DrainPolicy.AtDeadline.DELETE);
                  case "forceDelete" -> Optional.of(DrainPolicy.AtDeadline.FORCE_DELETE);
                  default -> Optional.empty();
                },
            List.of("fail", "delete", "forceDelete"));
    return new DrainRules.Deadline(minutes("drainDeadlineMinutes", 0), then);
  }

  private CustomDrainConfig customDrain() {
    var _ = custom.known(CUSTOM_KEYS);
    NEEDED.forEach(custom::required);
    return new CustomDrainConfig(
        custom.text("namespace"),
        custom.text("apiGroup"),
        custom.text("version"),
        custom.text("kind"),
        template(),
        custom.text("drainer", "custom"),
        custom.text("nodeSelector").isEmpty()
            ? LabelSelector.everything()
            : selector(custom, "nodeSelector"),
        new CustomDrainRules(
            new Reported(custom.text("statusConditionType"), custom.text("statusConditionStatus")),
            new Reported(
                custom.text("failureConditionType", "Failed"),
                custom.text("failureConditionStatus", "True")),
            timeout(),
            custom.word(
                "onTimeout",
                "fail",
                word ->
                    List.of("fail", "proceed").contains(word)
                        ? Optional.of(word.equals("proceed"))
                        : Optional.empty(),
                List.of("fail", "proceed"))),
        custom.isOn("waitForKind"));
  }

  private ResourceTemplate template() {
    try {
      return ResourceTemplate.read(
          Path.of(custom.text("templateMountPath")), custom.text("templateFileName"));
    } catch (ResourceTemplateInvalid unusable) {
      throw root.invalid("customDrain: " + unusable.getMessage());
    }
  }

  /** Seconds, as the original has it, or a duration. */
  private Duration timeout() {
    String text = custom.text("timeout", "3600");
    Optional<Duration> time =
        text.matches("\\d{1,9}")
            ? Optional.of(Duration.ofSeconds(Long.parseLong(text)))
            : GoDuration.find(text);
    return time.filter(Duration::isPositive)
        .orElseThrow(
            () ->
                custom.invalid(
                    "timeout is \"%s\", neither seconds nor a duration such as 30m"
                        .formatted(text)));
  }
}
