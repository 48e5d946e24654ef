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

  @Test
  void anObjectThatCannotBeReadIsNamedAndTheRestIsShown() {
    // another definition of the kind may accept anything
    fixture.create(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: notifymaintenances.ngn2.nvidia.com}
        spec:
          group: ngn2.nvidia.com
          scope: Namespaced
          names: {kind: NotifyMaintenance, listKind: NotifyMaintenanceList, plural: notifymaintenances, singular: notifymaintenance}
          versions:
          - name: v1alpha1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        """);
    String node = fixture.addNode();
    fixture
        .eventually()
        .untilAsserted(
            () ->
                fixture.create(
                    """
                    apiVersion: ngn2.nvidia.com/v1alpha1
                    kind: NotifyMaintenance
                    metadata: {name: odd, namespace: ops}
                    spec: {maintenanceID: fw-17}
                    """));

    CommandOutcome status = fixture.drydock("status", node);

    assertThat(status.exitCode()).as(status.err()).isZero();
    assertThat(status.out()).contains("1 node: 1 in service");
    assertThat(status.err())
        .contains("Note: NotifyMaintenance ops/odd cannot be read: spec.nodeObject is missing\n");
  }
}
