package dev.drydock.app.operator;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CrdInstall;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.serve.feature.Features;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock crds}: prints the CRDs of all parts. */
@Command(
    name = "crds",
    addMethodSubcommands = false,
    description = {"Print the CRDs of all parts.", "Install them with: " + CrdInstall.ALL})
public final class CrdsCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    terminal.out().print(CrdCatalog.yaml(Features.load().kinds()));
    terminal.out().flush();
    return ExitCode.OK;
  }
}
