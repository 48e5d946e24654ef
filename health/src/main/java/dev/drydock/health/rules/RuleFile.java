package dev.drydock.health.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.LabelSyntax;
import dev.drydock.health.decide.BreakerLimits;
import dev.drydock.health.decide.NodeTaint;
import dev.drydock.health.decide.RuleActions;
import dev.drydock.health.decide.RuleActions.RuleLabel;
import dev.drydock.health.decide.Strikes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads rule files: TOML as fault-quarantine takes it, with a few additional keys. */
public final class RuleFile {
  private static final Logger LOG = LoggerFactory.getLogger(RuleFile.class);
  private static final TomlMapper TOML = new TomlMapper();
  private static final String SHIPPED = "quarantine-rules.toml";
  private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");
  private static final int ALL = 100;

  private final String source;

  private RuleFile(String source) {
    this.source = source;
  }

  public static QuarantineRules read(Path file) {
    try {
      return parse(Files.readString(file), file.toString());
    } catch (NoSuchFileException missing) {
      throw new RuleFileInvalid("no rule file " + file);
    } catch (IOException unreadable) {
      throw new RuleFileInvalid(
          "rule file %s cannot be read: %s".formatted(file, unreadable.getMessage()));
    }
  }

  /** The rules that come with the program. */
  public static QuarantineRules shipped() {
    return parse(shippedText(), SHIPPED);
  }

  private static String shippedText() {
    try (InputStream in = RuleFile.class.getResourceAsStream(SHIPPED)) {
      if (in == null) {
        throw new IllegalStateException("no " + SHIPPED + " on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the text of a rule file.
   *
   * @param source where the text comes from, for people
   * @throws RuleFileInvalid for rules that cannot be used
   */
  public static QuarantineRules parse(String text, String source) {
    try {
      return new RuleFile(source).rules(TOML.readTree(text));
    } catch (JsonProcessingException syntax) {
      throw new RuleFileInvalid(
          "%s, line %d: not valid TOML: %s"
              .formatted(
                  source,
                  syntax.getLocation().getLineNr(),
                  firstLine(syntax.getOriginalMessage())));
    }
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("").strip();
  }

  private QuarantineRules rules(JsonNode root) {
    known("", root, Set.of("label-prefix", "circuitBreaker", "rule-sets", "validation", "strikes"));
    if (root.path("validation").path("enabled").asBoolean(false)) {
      throw invalid(
          "[validation] is not supported: set enabled = false, and let a MaintenanceClass validate"
              + " the node before it returns");
    }
    List<RuleSet> sets = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int order = 0;
    for (JsonNode set : root.path("rule-sets")) {
      String where = where(set, order);
      if (set.path("enabled").asBoolean(false)) {
        RuleSet read = set(set, order, where);
        if (!names.add(read.name())) {
          throw invalid(where + ": another rule set has this name; give it one of its own");
        }
        sets.add(read);
      }
      order++;
    }
    return new QuarantineRules(
        root.path("label-prefix").asText(QuarantineRules.DEFAULT_PREFIX),
        breaker(root.path("circuitBreaker")),
        strikes(root.path("strikes")),
        sets);
  }

  private static String where(JsonNode set, int order) {
    String name = set.path("name").asText("");
    return name.isEmpty() ? "rule set %d".formatted(order + 1) : "rule set \"%s\"".formatted(name);
  }

  private RuleSet set(JsonNode set, int order, String where) {
    known(
        where + ": ",
        set,
        Set.of("enabled", "version", "name", "priority", "match", "taint", "cordon", "label"));
    String name = set.path("name").asText("");
    if (name.isEmpty()) {
      throw invalid(where + ": it has no name");
    }
    List<RuleExpression> any = expressions(set.path("match").path("any"), where + ", match.any");
    List<RuleExpression> all = expressions(set.path("match").path("all"), where + ", match.all");
    if (any.isEmpty() && all.isEmpty()) {
      throw invalid(where + ": it has neither match.any nor match.all, so it never matches");
    }
    return new RuleSet(
        new RuleActions(
            name,
            order,
            number(set, "priority", 0, Integer.MIN_VALUE, Integer.MAX_VALUE, where),
            set.path("cordon").path("shouldCordon").asBoolean(false),
            taint(set.path("taint"), where),
            label(set.path("label"), where)),
        any,
        all);
  }

  private List<RuleExpression> expressions(JsonNode rules, String where) {
    List<RuleExpression> expressions = new ArrayList<>();
    for (JsonNode rule : rules) {
      String at = "%s: %s[%d]".formatted(source, where, expressions.size());
      String kind = rule.path("kind").asText("");
      RuleExpression.Kind known =
          RuleExpression.Kind.find(kind)
              .orElseThrow(
                  () ->
                      new RuleFileInvalid(
                          "%s: kind \"%s\" is neither HealthEvent nor Node".formatted(at, kind)));
      expressions.add(RuleExpression.compile(known, rule.path("expression").asText(""), at));
    }
    return expressions;
  }

  private Optional<NodeTaint> taint(JsonNode taint, String where) {
    String key = taint.path("key").asText("");
    if (key.isEmpty()) {
      return Optional.empty();
    }
    String effect = taint.path("effect").asText("");
    if (!EFFECTS.contains(effect)) {
      throw invalid(
          "%s: taint.effect \"%s\" is none of NoSchedule, PreferNoSchedule, NoExecute"
              .formatted(where, effect));
    }
    String value = taint.path("value").asText("");
    checkLabel(key, value, where + ": taint");
    return Optional.of(new NodeTaint(key, value, effect));
  }

  private Optional<RuleLabel> label(JsonNode label, String where) {
    String key = label.path("key").asText("");
    if (key.isEmpty()) {
      return Optional.empty();
    }
    String value = label.path("value").asText("");
    checkLabel(key, value, where + ": label");
    return Optional.of(new RuleLabel(key, value));
  }

  /** What the API server would refuse for ever is refused at the start. */
  private void checkLabel(String key, String value, String where) {
    if (!LabelSyntax.isKey(key) || !LabelSyntax.isValue(value)) {
      throw invalid("%s: %s=%s is not a valid key and value".formatted(where, key, value));
    }
  }

  private BreakerLimits breaker(JsonNode breaker) {
    known(
        "[circuitBreaker] ",
        breaker,
        Set.of(
            "percentage",
            "duration",
            "maxNodes",
            "minimumNodes",
            "domainLabels",
            "domainPercentage",
            "causePercentage",
            "slowAtPercentage"));
    BreakerLimits standard = BreakerLimits.standard();
    String where = "[circuitBreaker]";
    List<String> labels = new ArrayList<>();
    breaker.path("domainLabels").forEach(label -> labels.add(label.asText()));
    try {
      return new BreakerLimits(
          true,
          number(breaker, "percentage", standard.percentage(), 0, ALL, where),
          number(breaker, "maxNodes", 0, 0, Integer.MAX_VALUE, where),
          duration(breaker, "duration", standard.duration(), where),
          number(breaker, "minimumNodes", standard.minimum(), 1, Integer.MAX_VALUE, where),
          labels,
          number(breaker, "domainPercentage", 0, 0, ALL, where),
          number(breaker, "causePercentage", 0, 0, ALL, where),
          number(breaker, "slowAtPercentage", standard.slowAt(), 1, ALL, where));
    } catch (IllegalArgumentException both) {
      throw invalid(String.valueOf(both.getMessage()));
    }
  }

  private Strikes.Limit strikes(JsonNode strikes) {
    known("[strikes] ", strikes, Set.of("limit", "window"));
    return new Strikes.Limit(
        number(strikes, "limit", 0, 0, 1000, "[strikes]"),
        duration(strikes, "window", Strikes.Limit.OFF.window(), "[strikes]"));
  }

  private int number(
      JsonNode object, String key, int otherwise, int least, int most, String where) {
    JsonNode value = object.path(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.canConvertToInt() || value.asInt() < least || value.asInt() > most) {
      throw invalid(
          "%s: %s is %s, not a number from %d to %d"
              .formatted(where, key, value.asText(), least, most));
    }
    return value.asInt();
  }

  private Duration duration(JsonNode object, String key, Duration otherwise, String where) {
    JsonNode value = object.path(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    return GoDuration.find(value.asText())
        .filter(Duration::isPositive)
        .orElseThrow(
            () ->
                invalid(
                    "%s: %s is \"%s\", not a duration greater than 0, such as 5m"
                        .formatted(where, key, value.asText())));
  }

  /** A key that is not known may be of a newer version: it is said, and has no effect. */
  private void known(String where, JsonNode object, Set<String> keys) {
    if (object instanceof ObjectNode fields) {
      fields
          .propertyStream()
          .map(Map.Entry::getKey)
          .filter(key -> !keys.contains(key))
          .forEach(key -> LOG.warn("{}: {}key {} is not known and is ignored", source, where, key));
    }
  }

  private RuleFileInvalid invalid(String line) {
    return new RuleFileInvalid(source + ": " + line);
  }
}
