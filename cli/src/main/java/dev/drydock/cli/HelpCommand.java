package dev.drydock.cli;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock help COMMAND...}: the same as {@code COMMAND... --help}, at every level. */
@Command(
    name = "help",
    addMethodSubcommands = false,
    description = "Show the help of a command, e.g. 'drydock help cluster up'.")
final class HelpCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The command to show help for.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).root().commandLine();
    for (String word : words) {
      CommandLine below = line.getSubcommands().get(word);
      if (below == null) {
        throw new ParameterException(line, UsageErrors.unknownCommand(word, line));
      }
      line = below;
    }
    line.usage(requireNonNull(spec).commandLine().getOut());
    return ExitCode.OK;
  }
}
