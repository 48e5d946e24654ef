package dev.drydock.slingshot.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Delete;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.slingshot.decide.TestDrivers;
import dev.drydock.slingshot.resource.CxiResources;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node on which a retry handler crashed leaves, and returns when it was rebooted. */
class CrashQuarantineTest {
  private static final String NAMESPACE = "default";

  private final TestCluster cluster = TestCluster.simulated();
  private final KubeHttp http = cluster.process().kube().http();

  @AfterEach
  void close() {
    cluster.close();
  }

  private void createDriver(String onCrash) {
    ObjectNode driver = CxiResources.DRIVERS.manifest("", "driver");
    ObjectNode spec = driver.putObject("spec").put("version", "1.0.0");
    spec.putObject("source").put("type", "preinstalled");
    spec.putObject("retryHandler").put("onCrash", onCrash);
    var _ = http.createOrFind(CxiResources.DRIVERS, driver);
  }

  private ApiObject createDevice(String node) {
    ObjectNode device = CxiResources.DEVICES.manifest("", node + "-cxi0");
    device.putObject("spec");
    return ApiObject.of(http.createOrFind(CxiResources.DEVICES, device).object());
  }

  /** As the node's driver agent reports it. */
  private void report(ApiObject device, String node, boolean crashed) {
    var _ =
        Patch.sameUid(CxiResources.DEVICES, device)
            .status(
                status -> {
                  status.put("node", node).put("device", "cxi0");
                  status.putArray("conditions");
                  if (crashed) {
                    status
                        .withArray("conditions")
                        .addObject()
                        .put("type", CxiNames.HANDLER_CRASHED)
                        .put("status", "True")
                        .put("reason", "Quarantined")
                        .put("message", "cxi_rh was killed by signal 11")
                        .put("lastTransitionTime", "2026-01-01T00:00:00Z");
                  }
                })
            .send(http);
  }

  private void reboot(String node) {
    var _ =
        Patch.sameUid(
                Resource.NODES, ApiObject.of(http.find(Resource.NODES, "", node).orElseThrow()))
            .status(status -> status.withObject("/nodeInfo").put("bootID", "another"))
            .send(http);
  }

  private Optional<ApiObject> maintenance(String node) {
    return http.find(CxiResources.MAINTENANCES, NAMESPACE, "driver-quarantine-" + node)
        .map(ApiObject::of);
  }

  private CXIDriverController controller(TestProcess process) {
    return new CXIDriverController(
        process.kube(),
        new CXIDriverController.Settings(NAMESPACE, TestDrivers.IMAGES, "service", "validator"),
        Optional::empty);
  }

  @Test
  void aCrashRaisesAMaintenanceOfItsNodeWhichIsCompleteAfterTheReboot() {
    cluster.define(CrdCatalog.yaml());
    String broken = cluster.addNode("a");
    String fine = cluster.addNode("b");
    createDriver("quarantine");
    ApiObject device = createDevice(broken);
    report(device, broken, true);
    report(createDevice(fine), fine, false);
    try (TestProcess process = cluster.process();
        CXIDriverController controller = controller(process)) {
      controller.start();

      ApiObject raised =
          cluster.eventually().until(() -> maintenance(broken), Optional::isPresent).orElseThrow();
      assertThat(raised.spec().path("maintenanceClass").asText()).isEqualTo("driver-quarantine");
      assertThat(raised.annotations())
          .containsEntry(CxiNames.FAILURE, "cxi0: cxi_rh was killed by signal 11");
      assertThat(maintenance(fine)).isEmpty();
      assertThat(http.find(CxiResources.CLASSES, "", "driver-quarantine")).isPresent();

      var _ =
          Patch.sameUid(CxiResources.MAINTENANCES, raised)
              .status(status -> status.put("maintenanceStatus", "ObjectsDrained"))
              .send(http);
      report(device, broken, false);
      cluster.pass(Duration.ofMinutes(1));
      assertThat(maintenance(broken).orElseThrow().annotations())
          .as("it was not rebooted")
          .doesNotContainKey(MaintenanceNames.MAINTENANCE_CLIENT);
      Delete.sameUid(
              CxiResources.CLASSES,
              ApiObject.of(http.find(CxiResources.CLASSES, "", "driver-quarantine").orElseThrow()))
          .send(http);
      cluster
          .eventually()
          .until(() -> http.find(CxiResources.CLASSES, "", "driver-quarantine").isPresent());
      reboot(broken);

      cluster
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(maintenance(broken).orElseThrow().annotations())
                      .containsEntry(
                          MaintenanceNames.MAINTENANCE_CLIENT, MaintenanceNames.COMPLETE));
    }
  }

  @Test
  void handlersThatAreRestartedTakeNoNodeOut() {
    cluster.define(CrdCatalog.yaml());
    String node = cluster.addNode("a");
    createDriver("restart");
    report(createDevice(node), node, true);
    try (TestProcess process = cluster.process();
        CXIDriverController controller = controller(process)) {
      controller.start();

      cluster
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(
                          ApiObject.of(http.find(CxiResources.DRIVERS, "", "driver").orElseThrow())
                              .conditions()
                              .all())
                      .isNotEmpty());
      assertThat(maintenance(node)).isEmpty();
    }
  }
}
