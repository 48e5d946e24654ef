package dev.drydock.maintenance.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
import java.nio.file.Path;
import java.util.stream.Stream;
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

  /** With the shipped manifests, the operator may create the Jobs of a class only there. */
  @Test
  void maintenancesOfAClassAreCreatedWhereItsJobsMayRun() {
    fixture.define();
    String node = fixture.addNode();
    String maintenanceClass = maintenanceClass("outside: {}", "none: {}");

    assertThat(dryRun(node, "--class", maintenanceClass).out())
        .contains("namespace: drydock-maintenance\n");
    assertThat(dryRun(node, "--class", maintenanceClass, "-n", "ops").out())
        .contains("namespace: ops\n");
    assertThat(dryRun(node).out()).contains("namespace: default\n");
  }

  private CommandOutcome dryRun(String... words) {
    String[] dryRun = {
      "--id", "a", "--dry-run", "-o", "yaml", "--kubeconfig", fixture.kubeconfig().toString()
    };
    return CommandOutcome.run(
        Stream.of(new String[] {"maintain"}, words, dryRun)
            .flatMap(Stream::of)
            .toArray(String[]::new));
  }
}
