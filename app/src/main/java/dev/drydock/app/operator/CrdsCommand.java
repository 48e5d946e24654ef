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
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock crds}: prints the CRDs of all parts. */
@Command(
    name = "crds",
    addMethodSubcommands = false,
    description = {"Print the CRDs of all parts.", "Install them with: " + CrdInstall.ALL})
public final class CrdsCommand implements DrydockCommand {
  @Option(
      names = "--served-by-others",
      description =
          "Print instead the CRDs of kinds that Drydock writes and only other programs serve, such as RebootNode."
              + " Install them only where those programs have not.")
  private boolean servedByOthers;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    terminal
        .out()
        .print(
            CrdCatalog.yaml(
                servedByOthers ? CrdCatalog.SERVED_BY_OTHERS : Features.load().kinds()));
    return ExitCode.OK;
  }
}
