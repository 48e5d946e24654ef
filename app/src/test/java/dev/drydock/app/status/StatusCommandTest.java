package dev.drydock.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the simulated cluster. */
class StatusCommandTest extends StatusContract {
  @TempDir private Path folder;

  @Override
  CommandFixture newFixture() {
    return CommandFixture.simulated(folder);
  }

  @Test
  void aClusterWithoutDrydocksKindsIsNoFailure() {
    fixture.addNode();

    CommandOutcome status = fixture.drydock("status");

    assertThat(status.exitCode()).isZero();
    assertThat(status.out()).isEqualTo("1 node: 1 in service\n");
    assertThat(status.err())
        .isEqualTo(
            """
            Note: NotifyMaintenances are not installed; to install them: drydock crds | kubectl apply --server-side -f -
            Note: DrainRequests are not installed; to install them: drydock crds | kubectl apply --server-side -f -
            """);
  }
}
