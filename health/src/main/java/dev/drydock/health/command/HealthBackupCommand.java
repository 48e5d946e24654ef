package dev.drydock.health.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.Terminal;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.time.TimeSource;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock health backup}. */
@Command(
    name = "backup",
    addMethodSubcommands = false,
    description = {
      "Copy the embedded event store to a file, while it is used.",
      "The copy is consistent at one position, and holds the positions of consumers."
    })
final class HealthBackupCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFolderOption folder = new StoreFolderOption();

  @Parameters(paramLabel = "FILE", description = "A file that does not exist yet.")
  private Path file = Path.of("");

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (EmbeddedStore store = EmbeddedStore.open(folder.existing(), TimeSource.REAL)) {
      store.backup(file);
      terminal.out().println("copied %s events to %s".formatted(store.count(), file));
      return ExitCode.OK;
    } catch (StoreUnavailable | IllegalArgumentException failed) {
      throw new CommandFailure(String.valueOf(failed.getMessage()), failed);
    }
  }
}
