package dev.drydock.maintenance.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
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
    CommandOutcome outcome = fixture.drydock("maintain", fixture.addNode(), "--id", "a");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .isEqualTo(
            "error: the CRD of NotifyMaintenance is not installed; run: drydock crds | kubectl apply --server-side -f -\n");
  }
}
