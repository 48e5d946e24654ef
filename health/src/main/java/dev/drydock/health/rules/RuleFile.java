package dev.drydock.health.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.LabelSyntax;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.config.TomlTable;
import dev.drydock.health.decide.BreakerLimits;
import dev.drydock.health.decide.NodeTaint;
import dev.drydock.health.decide.RuleActions;
import dev.drydock.health.decide.RuleActions.RuleLabel;
import dev.drydock.health.decide.Strikes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads rule files: TOML as fault-quarantine takes it, with a few additional keys. */
public final class RuleFile {
  private static final String SHIPPED = "quarantine-rules.toml";
  private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");
  private static final int ALL = 100;

  private final TomlTable root;

  private RuleFile(TomlTable root) {
    this.root = root;
  }

  /**
   * Reads a rule file.
   *
   * @throws ConfigFileInvalid for rules that cannot be used
   */
  public static QuarantineRules read(Path file) {
    return new RuleFile(TomlTable.read(file)).rules();
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

  public static QuarantineRules parse(String text, String source) {
    return new RuleFile(TomlTable.parse(text, source)).rules();
  }

  private QuarantineRules rules() {
    var _ =
        root.known(Set.of("label-prefix", "circuitBreaker", "rule-sets", "validation", "strikes"));
    List<RuleSet> sets = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int order = 0;
    for (JsonNode json : root.json().path("rule-sets")) {
      TomlTable set = root.of(json, where(json, order) + ": ");
      if (json.path("enabled").asBoolean(false)) {
        RuleSet read = set(set, order);
        if (!names.add(read.name())) {
          throw set.invalid("another rule set has this name; give it one of its own");
        }
        sets.add(read);
      }
      order++;
    }
    return new QuarantineRules(
        root.text("label-prefix", QuarantineRules.DEFAULT_PREFIX),
        breaker(root.table("circuitBreaker", "[circuitBreaker]: ")),
        strikes(root.table("strikes", "[strikes]: ")),
        sets,
        validation(root.table("validation", "[validation]: ")));
  }

  private Optional<ValidationRules> validation(TomlTable validation) {
    JsonNode json =
        validation
            .known(
                Set.of(
                    "enabled",
                    "apiGroup",
                    "version",
                    "kind",
                    "resource",
                    "templateMountPath",
                    "templateFileName",
                    "partialDrainEnabled",
                    "ruleSets"))
            .json();
    if (!json.path("enabled").asBoolean(false)) {
      return Optional.empty();
    }
    List<ValidationRules.TestRules> sets = new ArrayList<>();
    for (JsonNode set : json.path("ruleSets")) {
      if (set.path("enabled").asBoolean(true)) {
        sets.add(tests(set, sets.size()));
      }
    }
    if (sets.isEmpty()) {
      throw validation.invalid("it has no [[validation.ruleSets]], so nothing is ever validated");
    }
    return Optional.of(
        new ValidationRules(
            validation.text("apiGroup"),
            validation.required("version"),
            validation.required("kind"),
            validation.required("resource"),
            Path.of(validation.required("templateMountPath")),
            validation.required("templateFileName"),
            json.path("partialDrainEnabled").asBoolean(true),
            sets));
  }

  private ValidationRules.TestRules tests(JsonNode json, int order) {
    TomlTable set =
        root.of(json, "[validation] " + where(json, order) + ": ")
            .known(Set.of("enabled", "version", "name", "priority", "match", "tests"));
    List<String> tests = set.texts("tests");
    if (tests.isEmpty()) {
      throw set.invalid("it names no tests");
    }
    RuleSet rules = rules(set, order);
    boolean onNodes =
        Stream.concat(rules.any().stream(), rules.all().stream())
            .anyMatch(rule -> rule.kind() != RuleExpression.Kind.HEALTH_EVENT);
    if (onNodes) {
      throw set.invalid("only rules of kind HealthEvent may decide on validation");
    }
    return new ValidationRules.TestRules(rules, tests);
  }

  private static String where(JsonNode set, int order) {
    String name = set.path("name").asText("");
    return name.isEmpty() ? "rule set %d".formatted(order + 1) : "rule set \"%s\"".formatted(name);
  }

  private static RuleSet set(TomlTable set, int order) {
    return rules(
        set.known(
            Set.of("enabled", "version", "name", "priority", "match", "taint", "cordon", "label")),
        order);
  }

  private static RuleSet rules(TomlTable set, int order) {
    String name = set.text("name");
    if (name.isEmpty()) {
      throw set.invalid("it has no name");
    }
    List<RuleExpression> any = expressions(set, "any");
    List<RuleExpression> all = expressions(set, "all");
    if (any.isEmpty() && all.isEmpty()) {
      throw set.invalid("it has neither match.any nor match.all, so it never matches");
    }
    return new RuleSet(
        new RuleActions(
            name,
            order,
            set.number("priority", 0, Integer.MIN_VALUE, Integer.MAX_VALUE),
            set.json().path("cordon").path("shouldCordon").asBoolean(false),
            taint(set.table("taint", set.where() + "taint")),
            label(set.table("label", set.where() + "label"))),
        any,
        all);
  }

  private static List<RuleExpression> expressions(TomlTable set, String match) {
    List<RuleExpression> expressions = new ArrayList<>();
    for (JsonNode rule : set.json().path("match").path(match)) {
      String at =
          "%s: %smatch.%s[%d]".formatted(set.source(), set.where(), match, expressions.size());
      String kind = rule.path("kind").asText("");
      RuleExpression.Kind known =
          RuleExpression.Kind.find(kind)
              .orElseThrow(
                  () ->
                      new ConfigFileInvalid(
                          "%s: kind \"%s\" is neither HealthEvent nor Node".formatted(at, kind)));
      expressions.add(RuleExpression.compile(known, rule.path("expression").asText(""), at));
    }
    return expressions;
  }

  private static Optional<NodeTaint> taint(TomlTable taint) {
    String key = taint.text("key");
    if (key.isEmpty()) {
      return Optional.empty();
    }
    String effect = taint.text("effect");
    if (!EFFECTS.contains(effect)) {
      throw taint.invalid(
          ".effect \"%s\" is none of NoSchedule, PreferNoSchedule, NoExecute".formatted(effect));
    }
    String value = taint.text("value");
    checkLabel(key, value, taint);
    return Optional.of(new NodeTaint(key, value, effect));
  }

  private static Optional<RuleLabel> label(TomlTable label) {
    String key = label.text("key");
    if (key.isEmpty()) {
      return Optional.empty();
    }
    String value = label.text("value");
    checkLabel(key, value, label);
    return Optional.of(new RuleLabel(key, value));
  }

  /** What the API server would refuse for ever is refused at the start. */
  private static void checkLabel(String key, String value, TomlTable table) {
    if (!LabelSyntax.isKey(key) || !LabelSyntax.isValue(value)) {
      throw table.invalid(": %s=%s is not a valid key and value".formatted(key, value));
    }
  }

  private BreakerLimits breaker(TomlTable breaker) {
    var _ =
        breaker.known(
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
    try {
      return new BreakerLimits(
          true,
          breaker.number("percentage", standard.percentage(), 0, ALL),
          breaker.number("maxNodes", 0, 0, Integer.MAX_VALUE),
          breaker.duration("duration", standard.duration()),
          breaker.number("minimumNodes", standard.minimum(), 1, Integer.MAX_VALUE),
          breaker.texts("domainLabels"),
          breaker.number("domainPercentage", 0, 0, ALL),
          breaker.number("causePercentage", 0, 0, ALL),
          breaker.number("slowAtPercentage", standard.slowAt(), 1, ALL));
    } catch (ConfigFileInvalid invalid) {
      throw invalid;
    } catch (IllegalArgumentException both) {
      throw root.invalid(String.valueOf(both.getMessage()));
    }
  }

  private static Strikes.Limit strikes(TomlTable strikes) {
    var _ = strikes.known(Set.of("limit", "window"));
    return new Strikes.Limit(
        strikes.number("limit", 0, 0, 1000),
        strikes.duration("window", Strikes.Limit.OFF.window()));
  }
}
