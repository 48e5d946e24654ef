package dev.drydock.app.history;

import dev.drydock.app.CommandScene;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** On the simulated cluster. */
class HistoryCommandTest extends HistoryContract {
  @BeforeEach
  void open(@TempDir Path folder) {
    scene = CommandScene.simulated(folder);
  }
}
