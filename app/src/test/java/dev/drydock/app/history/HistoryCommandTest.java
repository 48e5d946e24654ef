package dev.drydock.app.history;

import dev.drydock.testkit.CommandFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** On the simulated cluster. */
class HistoryCommandTest extends HistoryContract {
  @TempDir private Path folder;

  @Override
  CommandFixture newFixture() {
    return CommandFixture.simulated(folder);
  }
}
