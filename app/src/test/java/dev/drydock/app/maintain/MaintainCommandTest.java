package dev.drydock.app.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.CommandFixture;
import dev.drydock.app.DrydockTest.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the simulated cluster. */
class MaintainCommandTest extends MaintainContract {
  @TempDir private Path folder;

  @Override
  CommandFixture newFixture() {
    return CommandFixture.simulated(folder);
  }

  @Test
  void aClusterWithoutTheKindsIsToldHowToGetThem() {
    Outcome outcome = fixture.drydock("maintain", fixture.addNode(), "--id", "a");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .isEqualTo(
            "error: this cluster does not know NotifyMaintenances; first run: drydock crds | kubectl apply --server-side -f -\n");
  }
}
