package dev.drydock.app.cord;

import dev.drydock.app.CommandScene;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The andon cord on the simulated cluster. */
class CordCommandsTest extends CordContract {
  @BeforeEach
  void open(@TempDir Path folder) {
    scene = CommandScene.simulated(folder);
  }
}
