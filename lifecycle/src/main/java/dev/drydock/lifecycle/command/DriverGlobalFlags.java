package dev.drydock.lifecycle.command;

import dev.drydock.cli.CommandFailure;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Flags that components of Kubernetes have for their logs, and the original driver with them, so
 * that its command lines keep working. Logs are always lines of text.
 */
@Command(addMethodSubcommands = false)
final class DriverGlobalFlags {
  private static final List<String> GATES =
      List.of(
          "AllAlpha", "AllBeta", "ContextualLogging", "LoggingAlphaOptions", "LoggingBetaOptions");
  private static final List<String> FORMATS = List.of("text", "json");

  @Option(
      names = "--feature-gates",
      paramLabel = "GATE=true|false",
      split = ",",
      description = "Accepted without effect: the original's gates are about logs only.")
  private Map<String, String> gates = Map.of();

  @Option(
      names = "--logging-format",
      paramLabel = "text|json",
      description = "Accepted without effect: logs are lines of text.")
  private @Nullable String format;

  @Option(
      names = {"--vmodule", "--log-flush-frequency"},
      paramLabel = "VALUE",
      description = "Accepted without effect.")
  @SuppressWarnings("UnusedVariable") // accepted without effect
  private List<String> others = List.of();

  /** What the original refuses is refused, with the same exit code. */
  void check() {
    for (String gate : gates.keySet()) {
      if (!GATES.contains(gate)) {
        throw new CommandFailure(
            "--feature-gates: unrecognized feature gate: %s; known are %s"
                .formatted(gate, String.join(", ", GATES)));
      }
    }
    if (format != null && !FORMATS.contains(format)) {
      throw new CommandFailure("--logging-format: \"%s\" should be text or json".formatted(format));
    }
  }
}
