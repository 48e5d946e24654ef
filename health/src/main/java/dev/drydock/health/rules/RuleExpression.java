package dev.drydock.health.rules;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.drydock.contracts.FirstLine;
import dev.drydock.health.config.ConfigFileInvalid;
import java.util.Map;
import java.util.Optional;

/**
 * A CEL expression on an event or on a node, compiled. Standard macros and the string extensions
 * are available.
 *
 * @param kind what it is about
 */
record RuleExpression(Kind kind, String text, CelRuntime.Program program) {
  /** What an expression sees: one variable. */
  enum Kind {
    HEALTH_EVENT("HealthEvent", "event"),
    NODE("Node", "node");

    private final String word;
    private final String variable;
    private final CelCompiler compiler;

    Kind(String word, String variable) {
      this.word = word;
      this.variable = variable;
      compiler =
          CelCompilerFactory.standardCelCompilerBuilder()
              .setOptions(OPTIONS)
              .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
              .addLibraries(CelExtensions.strings())
              .addVar(variable, SimpleType.DYN)
              .build();
    }

    static Optional<Kind> find(String word) {
      for (Kind kind : values()) {
        if (kind.word.equals(word)) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    }
  }

  /** Rules compare numbers of events with literals of either kind. */
  private static final CelOptions OPTIONS =
      CelOptions.current().enableHeterogeneousNumericComparisons(true).build();

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.legacyCelRuntimeBuilder()
          .setOptions(OPTIONS)
          .addLibraries(CelExtensions.strings())
          .build();

  /**
   * @param where the rule set and the place in it, for people
   */
  static RuleExpression compile(Kind kind, String text, String where) {
    try {
      CelAbstractSyntaxTree tree = kind.compiler.compile(text).getAst();
      CelType type = tree.getResultType();
      if (!type.equals(SimpleType.BOOL) && !type.equals(SimpleType.DYN)) {
        throw new ConfigFileInvalid(
            "%s: the expression must be true or false, not %s: %s"
                .formatted(where, type.name(), text));
      }
      return new RuleExpression(kind, text, RUNTIME.createProgram(tree));
    } catch (CelValidationException | CelEvaluationException invalid) {
      throw new ConfigFileInvalid(
          "%s: not a valid CEL expression: %s"
              .formatted(where, FirstLine.of(String.valueOf(invalid.getMessage()))));
    }
  }

  /** The outcome; a rule that cannot be evaluated does not match, and is counted. */
  enum Outcome {
    TRUE,
    FALSE,
    ERROR
  }

  /**
   * @param value of the variable
   */
  Outcome evaluate(Map<String, Object> value) {
    try {
      Object result = program.eval(Map.of(kind.variable, value));
      if (result instanceof Boolean bool) {
        return bool ? Outcome.TRUE : Outcome.FALSE;
      }
      return Outcome.ERROR;
    } catch (CelEvaluationException | IllegalArgumentException failed) {
      return Outcome.ERROR; // e.g. a field that the object does not have
    }
  }
}
