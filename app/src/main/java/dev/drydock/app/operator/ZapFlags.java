package dev.drydock.app.operator;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.OptionalValue;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The flags for logs of the controller that this operator replaces, so that its command lines keep
 * working. Logs are always lines of text; only the level has an effect.
 */
@Command(addMethodSubcommands = false)
final class ZapFlags {
  private static final int DETAILS = 4;

  @Option(
      names = "--zap-log-level",
      hidden = true,
      paramLabel = "debug|info|error|NUMBER",
      defaultValue = "info")
  private String level = "";

  @Option(
      names = "--zap-devel",
      hidden = true,
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class)
  @SuppressWarnings("UnusedVariable") // accepted without effect
  private String devel = "true";

  @Option(
      names = {"--zap-encoder", "--zap-stacktrace-level", "--zap-time-encoding"},
      hidden = true,
      paramLabel = "WORD")
  @SuppressWarnings("UnusedVariable") // accepted without effect
  private List<String> others = List.of();

  /** The verbosity, on the scale of {@link dev.drydock.cli.CommandLogging}. */
  int verbosity() {
    return switch (level) {
      case "info", "error", "0" -> 0;
      case "debug" -> DETAILS;
      default -> {
        if (!level.matches("[1-9]\\d{0,2}")) {
          throw CommandFailure.usage(
              "--zap-log-level: \"%s\" should be debug, info, error or a number".formatted(level));
        }
        yield DETAILS;
      }
    };
  }
}
