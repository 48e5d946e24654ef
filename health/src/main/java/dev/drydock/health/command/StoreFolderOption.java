package dev.drydock.health.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.health.operator.HealthSettings;
import dev.drydock.health.store.embedded.EmbeddedStore;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Which embedded store a command works on. */
@Command(addMethodSubcommands = false)
final class StoreFolderOption {
  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      defaultValue = HealthSettings.DEFAULT_FOLDER,
      description =
          "The folder of the embedded event store, as eventStore.folder. Default: ${DEFAULT-VALUE}.")
  private Path folder = Path.of("");

  /** Fails if there is no store: one that is made by mistake would be empty. */
  Path existing() {
    if (!EmbeddedStore.existsIn(folder)) {
      throw CommandFailure.usage(
          "there is no event store in %s; name its folder with --folder, and run this where the operator runs"
              .formatted(folder));
    }
    return folder;
  }
}
