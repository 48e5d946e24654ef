package dev.drydock.maintenance.control;

import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.ngn2.NotifyMaintenanceStatus;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Maintenances on the real API server, by operators that have the rights of their manifest. */
@ClusterTest
@ExtendWith(MaintenanceControllerOnRealClusterIT.Fixture.class)
class MaintenanceControllerOnRealClusterIT extends MaintenanceContracts {
  /** A namespace that does not fit its Jobs: PodSecurity refuses their pods. */
  @Test
  void aJobWhosePodsAreRefusedNamesTheReasonOfTheWait(MaintenanceFixture fixture) {
    try (fixture;
        MaintenanceFixture.Operator _ = fixture.operator()) {
      String node = fixture.node();
      String maintenanceClass = fixture.namespace + "-restricted";
      fixture.apply(
          """
          apiVersion: v1
          kind: Namespace
          metadata:
            name: %s
            labels: {pod-security.kubernetes.io/enforce: restricted}
          ---
          apiVersion: drydock.dev/v1alpha1
          kind: MaintenanceClass
          metadata: {name: %s}
          spec:
            drain: {builtin: {policy: {force: true}}}
            maintenance: {job: {template: {spec: {template: {spec: {containers: [{name: main, image: none}]}}}}}}
            validation: {none: {}}
          """
              .formatted(fixture.namespace, maintenanceClass));
      fixture.create("m", node, "fw-17", maintenanceClass);
      fixture
          .eventually()
          .until(
              () ->
                  fixture
                      .maintenance("m")
                      .map(NotifyMaintenance::getStatus)
                      .map(NotifyMaintenanceStatus::waitingFor)
                      .filter(why -> why.contains("FailedCreate"))
                      .filter(why -> why.contains("violates PodSecurity"))
                      .isPresent());
    }
  }

  static final class Fixture extends RealClusterParameter<MaintenanceFixture> {
    Fixture() {
      super(
          MaintenanceFixture.class,
          "maintenance",
          (controlPlane, namespace) ->
              MaintenanceFixture.asTheManifest(TestCluster.real(controlPlane), namespace));
    }
  }
}
