package dev.drydock.sim.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The CEL rules ({@code x-kubernetes-validations}) of one schema, compiled once. */
final class CelRules {
  private static final String RULES = "x-kubernetes-validations";
  private static final Pattern OLD_SELF = Pattern.compile("\\boldSelf\\b");

  private final Map<String, CelRuntime.Program> programs = new HashMap<>();
  private final JsonNode schema;

  /** Throws if a rule cannot be compiled. */
  CelRules(JsonNode schema) {
    this.schema = schema;
    schema.findValues(RULES).stream()
        .flatMap(CelRules::rulesIn)
        .forEach(rule -> programs.computeIfAbsent(rule, Compiler::program));
  }

  private static Stream<String> rulesIn(JsonNode rules) {
    return rules.valueStream().map(rule -> rule.path("rule").asText());
  }

  /**
   * Compiles each rule once: a CRD is compiled with each of its changes, and in every cluster of
   * the process anew. The class is loaded with the first rule, because CEL takes long to load.
   */
  private static final class Compiler {
    private static final CelCompiler COMPILER =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(CelExtensions.strings())
            .addVar("self", SimpleType.DYN)
            .addVar("oldSelf", SimpleType.DYN)
            .build();
    private static final CelRuntime RUNTIME =
        CelRuntimeFactory.legacyCelRuntimeBuilder().addLibraries(CelExtensions.strings()).build();
    private static final Map<String, CelRuntime.Program> PROGRAMS = new ConcurrentHashMap<>();

    static CelRuntime.Program program(String rule) {
      return PROGRAMS.computeIfAbsent(rule, Compiler::compile);
    }

    private static CelRuntime.Program compile(String rule) {
      try {
        return RUNTIME.createProgram(COMPILER.compile(rule).getAst());
      } catch (CelValidationException | CelEvaluationException e) {
        throw StatusException.notSimulated("the rule " + rule + ": " + e.getMessage());
      }
    }
  }

  List<Cause> check(JsonNode value, @Nullable JsonNode before) {
    List<Cause> causes = new ArrayList<>();
    if (!programs.isEmpty()) {
      check(value, before, schema, "", causes);
    }
    return causes;
  }

  private void check(
      JsonNode value, @Nullable JsonNode before, JsonNode at, String path, List<Cause> causes) {
    for (JsonNode rule : at.path(RULES)) {
      checkRule(value, before, rule, path, causes);
    }
    if (value.isObject()) {
      value
          .properties()
          .forEach(
              field -> {
                JsonNode known = at.path("properties").path(field.getKey());
                JsonNode next = known.isMissingNode() ? at.path("additionalProperties") : known;
                JsonNode old = before == null ? null : before.get(field.getKey());
                String below = Validation.below(path, field.getKey());
                check(field.getValue(), old, next, below, causes);
              });
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        // the identity of elements is not simulated, so there is no old value to compare with
        check(value.path(i), null, at.path("items"), path + "[" + i + "]", causes);
      }
    }
  }

  private void checkRule(
      JsonNode value, @Nullable JsonNode before, JsonNode rule, String path, List<Cause> causes) {
    String text = rule.path("rule").asText();
    boolean ofChange = OLD_SELF.matcher(text).find();
    CelRuntime.Program program = programs.get(text);
    if (program == null || (ofChange && before == null)) {
      return;
    }
    Map<String, Object> variables = new HashMap<>();
    variables.put("self", java(value));
    if (before != null) {
      variables.put("oldSelf", java(before));
    }
    try {
      if (!Boolean.TRUE.equals(program.eval(variables))) {
        String message = JsonTrees.text(rule, "message");
        causes.add(Cause.invalid(path, message.isEmpty() ? "failed rule: " + text : message));
      }
    } catch (CelEvaluationException e) {
      causes.add(Cause.invalid(path, "rule %s: %s".formatted(text, e.getMessage())));
    }
  }

  private static Object java(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> {
        Map<String, Object> fields = new HashMap<>();
        value.properties().forEach(it -> fields.put(it.getKey(), java(it.getValue())));
        yield fields;
      }
      case ARRAY -> value.valueStream().map(CelRules::java).toList();
      case BOOLEAN -> value.asBoolean();
      case NUMBER -> value.isIntegralNumber() ? (Object) value.asLong() : (Object) value.asDouble();
      case NULL -> dev.cel.common.values.NullValue.NULL_VALUE;
      default -> value.asText();
    };
  }
}
