package dev.drydock.app.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.CommandScene;
import dev.drydock.app.DrydockTest.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the simulated cluster. */
class MaintainCommandTest extends MaintainContract {
  @TempDir private Path folder;

  @Override
  CommandScene newScene() {
    return CommandScene.simulated(folder);
  }

  @Test
  void aClusterWithoutTheKindsIsToldHowToGetThem() {
    Outcome outcome = scene.drydock("maintain", scene.addNode(), "--id", "a");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .isEqualTo(
            "error: this cluster does not know NotifyMaintenances; first run: drydock crds | kubectl apply -f -\n");
  }
}
