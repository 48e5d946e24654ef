package dev.drydock.cli;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * {@code drydock __complete WORDS}: called by the completion scripts and by kubectl, not by people.
 */
@Command(name = "__complete", addMethodSubcommands = false, hidden = true)
public final class CompleteCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;

  /**
   * Accepts any words, including flags of other commands; they are read from the parse result,
   * which keeps their order.
   */
  @SuppressWarnings("UnusedVariable")
  @Unmatched
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    CommandSpec self = requireNonNull(spec);
    Terminal terminal = Terminal.of(self);
    List<String> typed = self.commandLine().getParseResult().originalArgs();
    Completion.complete(requireNonNull(self.root().commandLine()), typed.subList(1, typed.size()))
        .forEach(terminal.out()::println);
    return ExitCode.OK;
  }
}
