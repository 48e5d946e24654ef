package dev.drydock.app.cord;

import dev.drydock.app.CommandScene;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The andon cord on the simulated cluster. */
class CordCommandsTest extends CordContract {
  @TempDir private Path folder;

  @Override
  CommandScene newScene() {
    return CommandScene.simulated(folder);
  }
}
