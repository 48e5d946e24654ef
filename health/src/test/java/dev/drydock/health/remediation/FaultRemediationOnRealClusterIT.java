package dev.drydock.health.remediation;

import static dev.drydock.health.remediation.RemediationFixture.REBOOTS;
import static dev.drydock.health.remediation.RemediationFixture.fault;
import static dev.drydock.health.remediation.RemediationFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.remediation.RemediationFixture.Operator;
import dev.drydock.health.request.MaintenanceRequestController;
import dev.drydock.health.request.MaintenanceRequestOptions;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.ServedCondition;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the real API server, remedied with the rights of the manifests and not one more. */
@ClusterTest
class FaultRemediationOnRealClusterIT {
  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final String OPERATOR = "system:serviceaccount:drydock-system:drydock-operator";
  private static final String ACCOUNT = "system:serviceaccount:nvsentinel:fault-remediation";

  private final TestCluster cluster;
  private final RemediationFixture fixture;

  FaultRemediationOnRealClusterIT(ControlPlane controlPlane, @TempDir Path folder) {
    cluster = TestCluster.real(controlPlane);
    fixture = new RemediationFixture(cluster, folder, "nvsentinel");
  }

  /** The accounts and their rights, and nothing that would run. */
  @BeforeEach
  void applyRights() throws IOException {
    fixture.define();
    for (String file : List.of("health/namespace.yaml", "health/fault-remediation.yaml")) {
      String rights =
          Arrays.stream(Files.readString(DEPLOY.resolve(file)).split("(?m)^---\n", -1))
              .filter(each -> !each.contains("\nkind: Deployment\n"))
              .collect(Collectors.joining("---\n"));
      cluster.kubectl(rights, "apply", "--server-side", "-f", "-").output();
    }
    for (String what : List.of("nodes", "rebootnodes", "notifymaintenances")) {
      eventuallyMayList(ACCOUNT, what);
    }
  }

  private void eventuallyMayList(String account, String what) {
    cluster
        .eventually()
        .until(
            () ->
                cluster.kubectl("", "auth", "can-i", "list", what, "--as=" + account).succeeded());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private ProcessOptions rights() {
    return rights(ACCOUNT);
  }

  private ProcessOptions rights(String account) {
    Config config = cluster.config();
    config.setImpersonateUsername(account);
    return ProcessOptions.of(RequestInterceptor.NONE).withRights(config);
  }

  @Test
  void aFaultIsAMaintenanceAndTheNodeComesBack() throws Exception {
    new FaultMaintenanceContract(fixture, "default")
        .aFaultIsAMaintenanceAndTheNodeComesBack(rights());
  }

  @Test
  void aRebootIsMadeReportedTakenUpAndRemembered() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator(fixture.reboots(), rights(), false)) {
      String id = fixture.quarantinedAndDrained(fault(node));
      ApiObject reboot = fixture.only(REBOOTS);
      fixture.condition(REBOOTS, reboot.name(), "SignalSent", "True"); // before it is missed
      assertThat(reboot.isOwnedBy("Node", fixture.node(node).uid())).isTrue();
      fixture.eventually().until(() -> fixture.remediated(id).orElse(false));
      assertThat(cluster.kubectl("", "get", "rebootnodes").output()).contains(reboot.name(), node);

      fixture.condition(REBOOTS, reboot.name(), "NodeReady", "False");
      fixture.eventually().until(() -> fixture.label(node), "remediation-failed"::equals);
      fixture.eventually().until(() -> fixture.remediated(id), Optional.of(false)::equals);
      assertThat(fixture.only(REBOOTS).conditions().get(ServedCondition.TYPE)).isEmpty();

      fixture.eventuallyStatus(fixture.send(recovery(node)), "UnQuarantined");
      fixture.eventually().until(() -> fixture.events(node).contains("RemediationRecovered"));
      assertThat(fixture.events(node)).contains("RemediationStarted", "RemediationFailed");
      fixture
          .eventually()
          .untilAsserted(() -> assertThat(operator.process().kube().health().degraded()).isEmpty());

      cluster.client().nodes().withName(node).delete();
      // the garbage collector looks for new kinds only now and then
      fixture
          .eventually()
          .atMost(Duration.ofMinutes(5))
          .until(() -> fixture.list(REBOOTS).isEmpty());
    }
  }

  @Test
  void aMaintenanceRequestIsServedWithTheRightsOfItsPart() {
    for (String file :
        List.of("namespace.yaml", "parts/base.yaml", "parts/maintenance-request.yaml")) {
      cluster.kubectl("", "apply", "--server-side", "-f", DEPLOY.resolve(file).toString()).output();
    }
    eventuallyMayList(OPERATOR, "maintenancerequests");
    String node = fixture.addNode();
    try (TestProcess process = cluster.process(rights(OPERATOR));
        MaintenanceRequestController controller =
            new MaintenanceRequestController(
                process.kube(),
                Optional.of(() -> fixture.store),
                new MaintenanceRequestOptions(RemediationFixture.NAMESPACE, Optional.empty()))) {
      controller.start();
      cluster
          .kubectl(
              """
              apiVersion: nvsentinel.dgxc.nvidia.com/v1
              kind: MaintenanceRequest
              metadata: {name: firmware}
              spec:
                healthEvent:
                  version: 1
                  agent: ops
                  checkName: Firmware
                  nodeName: %s
                  isFatal: true
                  recommendedAction: RESTART_BM
                  entitiesImpacted: [{entityType: GPU, entityValue: "0"}]
              """
                  .formatted(node),
              "create",
              "-f",
              "-")
          .output();
      cluster
          .kubectl(
              "", "wait", "mr/firmware", "--for=condition=HealthEventEmitted", "--timeout=180s")
          .output();
      assertThat(fixture.only(RemediationFixture.MAINTENANCES).name())
          .isEqualTo("request-firmware");
      assertThat(fixture.store.count()).isEqualTo(1);

      assertThat(cluster.kubectl("", "delete", "mr", "firmware", "--timeout=180s").output())
          .contains("deleted");
      assertThat(fixture.store.count()).isEqualTo(2);
      fixture.eventually().until(() -> fixture.list(RemediationFixture.MAINTENANCES).isEmpty());
      fixture
          .eventually()
          .untilAsserted(() -> assertThat(process.kube().health().degraded()).isEmpty());
    }
  }

  @Test
  void theManifestsAreValid() {
    for (String file :
        List.of("health/fault-remediation.yaml", "maintenance-request-webhook.yaml")) {
      CommandResult applied =
          cluster.kubectl(
              "",
              "apply",
              "--server-side",
              "--dry-run=server",
              "-f",
              DEPLOY.resolve(file).toString());
      assertThat(applied.exitCode()).as(applied.toString()).isZero();
      assertThat(applied.standardError()).doesNotContain("PodSecurity", "unknown field");
    }
  }
}
