package dev.drydock.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock completion SHELL}: prints the shell's completion script. */
@Command(
    name = "completion",
    addMethodSubcommands = false,
    description = "Print the completion script for a shell.",
    footer = {
      "",
      "bash:  source <(drydock completion bash)",
      "zsh:   source <(drydock completion zsh)",
      "fish:  drydock completion fish | source",
      "",
      "As a kubectl plugin: next to kubectl-drydock, link kubectl_complete-drydock to this program."
    })
public final class CompletionCommand implements DrydockCommand {
  enum Shell {
    bash,
    zsh,
    fish
  }

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "One of: ${COMPLETION-CANDIDATES}.")
  private @Nullable Shell shell;

  @Override
  public Integer call() throws IOException {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (InputStream script = CompletionCommand.class.getResourceAsStream("completion." + shell)) {
      terminal
          .out()
          .print(new String(requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8));
    }
    return ExitCode.OK;
  }
}
