package dev.drydock.health.transform;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.drydock.contracts.FirstLine;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.RecommendedAction;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes what monitors say about events, by rules in CEL. The first rule that matches wins. The
 * language is not that of quarantine rules: here {@code event.recommendedAction} is a name.
 */
public final class OverrideTransformer implements EventTransformer {
  public static final String NAME = "OverrideTransformer";

  private static final Logger LOG = LoggerFactory.getLogger(OverrideTransformer.class);

  /**
   * One rule.
   *
   * @param when an expression about {@code event}
   */
  public record Rule(
      String name,
      String when,
      Optional<Boolean> isFatal,
      Optional<Boolean> isHealthy,
      Optional<RecommendedAction> recommendedAction) {}

  private record Compiled(Rule rule, CelRuntime.Program program) {}

  private static final Cel CEL =
      CelFactory.legacyCelBuilder()
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .addVar("event", MapType.create(SimpleType.STRING, SimpleType.DYN))
          .build();

  private final List<Compiled> rules = new ArrayList<>();
  private final MeterRegistry meters;

  /**
   * @throws IllegalArgumentException with one line that names the rule that is wrong
   */
  public OverrideTransformer(List<Rule> rules, MeterRegistry meters) {
    this.meters = meters;
    for (Rule rule : rules) {
      this.rules.add(new Compiled(rule, compile(rule)));
    }
  }

  private static CelRuntime.Program compile(Rule rule) {
    try {
      CelAbstractSyntaxTree tree = CEL.compile(rule.when()).getAst();
      if (!tree.getResultType().equals(SimpleType.BOOL)
          && !tree.getResultType().equals(SimpleType.DYN)) {
        throw new IllegalArgumentException(
            "rule \"%s\": its expression gives %s, not true or false: %s"
                .formatted(rule.name(), tree.getResultType().name(), rule.when()));
      }
      return CEL.createProgram(tree);
    } catch (CelValidationException | CelEvaluationException wrong) {
      throw new IllegalArgumentException(
          "rule \"%s\": %s".formatted(rule.name(), FirstLine.of(wrong)), wrong);
    }
  }

  @Override
  public HealthEvent apply(HealthEvent event) {
    Map<String, Object> variables = Map.of("event", variables(event));
    for (Compiled each : rules) {
      if (matches(each, variables)) {
        meters.counter("nvsentinel_overrides_applied", "rule", each.rule().name()).increment();
        return override(each.rule(), event);
      }
    }
    return event;
  }

  private boolean matches(Compiled each, Map<String, Object> variables) {
    try {
      Object result = each.program().eval(variables);
      if (result instanceof Boolean matched) {
        return matched;
      }
      failed(each, "its expression gives " + result);
    } catch (CelEvaluationException wrong) {
      failed(each, FirstLine.of(wrong));
    }
    return false;
  }

  private void failed(Compiled each, String why) {
    meters.counter("nvsentinel_override_evaluation_errors", "rule", each.rule().name()).increment();
    LOG.warn("override rule \"{}\" is skipped for an event: {}", each.rule().name(), why);
  }

  private static HealthEvent override(Rule rule, HealthEvent event) {
    HealthEvent.Builder builder = event.toBuilder();
    rule.isFatal().ifPresent(builder::isFatal);
    rule.isHealthy().ifPresent(builder::isHealthy);
    rule.recommendedAction().ifPresent(builder::recommendedAction);
    return builder.build();
  }

  private static Map<String, Object> variables(HealthEvent event) {
    Map<String, Object> values = new HashMap<>();
    values.put("agent", event.agent());
    values.put("checkName", event.checkName());
    values.put("componentClass", event.componentClass());
    values.put("errorCode", event.errorCode());
    values.put("isFatal", event.isFatal());
    values.put("isHealthy", event.isHealthy());
    values.put("recommendedAction", event.recommendedAction().name());
    values.put("nodeName", event.nodeName());
    values.put("metadata", event.metadata());
    values.put("message", event.message());
    values.put(
        "entitiesImpacted",
        event.entitiesImpacted().stream()
            .map(
                entity ->
                    Map.of("entityType", entity.entityType(), "entityValue", entity.entityValue()))
            .toList());
    return values;
  }
}
