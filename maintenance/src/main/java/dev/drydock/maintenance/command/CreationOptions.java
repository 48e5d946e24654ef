package dev.drydock.maintenance.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.OptionalValue;
import dev.drydock.cli.OutputFormat;
import dev.drydock.cli.OutputOption;
import dev.drydock.serve.command.DryRunOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What commands that create objects have in common, as in kubectl. */
@Command(addMethodSubcommands = false)
public final class CreationOptions {
  private enum Format {
    json,
    yaml,
    name
  }

  @Option(
      names = "--dry-run",
      paramLabel = "none|client|server",
      arity = "0..1",
      fallbackValue = "client",
      preprocessor = OptionalValue.class,
      description =
          "Create nothing. client: show what would be created. server: also send dry-run requests.")
  private DryRunOption dryRun = DryRunOption.none;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Print what was created as ${COMPLETION-CANDIDATES}.")
  private @Nullable Format format;

  public DryRunOption dryRun() {
    return dryRun;
  }

  /** Whether no format was asked for. */
  public boolean isForPeople() {
    return format == null;
  }

  /** Whether what was created is printed whole, see {@link #whole}. */
  public boolean isWhole() {
    return format == Format.json || format == Format.yaml;
  }

  /** What was created in the format that was asked for; empty if only its name is printed. */
  public Optional<String> whole(JsonNode created) {
    return isWhole()
        ? Optional.of(
            OutputOption.text(
                format == Format.json ? OutputFormat.json : OutputFormat.yaml, created))
        : Optional.empty();
  }
}
