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
 * {@code drydock __complete WORDS}: asked by the completion scripts and by kubectl, never by a
 * person.
 */
@Command(name = "__complete", addMethodSubcommands = false, hidden = true)
public final class CompleteCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;

  /**
   * Takes whatever was typed, flags of other commands included; read from the parse result, which
   * keeps the order.
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
    terminal.out().flush();
    return ExitCode.OK;
  }
}
