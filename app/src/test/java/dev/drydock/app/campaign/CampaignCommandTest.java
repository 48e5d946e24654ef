package dev.drydock.app.campaign;

import dev.drydock.app.CommandScene;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** On the simulated cluster. */
class CampaignCommandTest extends CampaignContract {
  @TempDir private Path folder;

  @Override
  CommandScene newScene() {
    return CommandScene.simulated(folder);
  }
}
