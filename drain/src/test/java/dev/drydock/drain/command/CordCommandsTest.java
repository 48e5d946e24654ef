package dev.drydock.drain.command;

import dev.drydock.testkit.CommandFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The andon cord on the simulated cluster. */
class CordCommandsTest extends CordContract {
  @TempDir private Path folder;

  @Override
  CommandFixture newFixture() {
    return CommandFixture.simulated(folder);
  }
}
