package dev.drydock.maintenance.command.campaign;

import dev.drydock.testkit.CommandFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** On the simulated cluster. */
class CampaignCommandTest extends CampaignCommandContract {
  @TempDir private Path folder;

  @Override
  CommandFixture newFixture() {
    return CommandFixture.simulated(folder);
  }
}
