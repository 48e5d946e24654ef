package dev.drydock.slingshot.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.cxi.CXIDriver;
import dev.drydock.kube.Kube;
import dev.drydock.slingshot.decide.TestDrivers;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One CXIDriver that cannot be served holds up no other. */
class CXIDriverIsolationTest {
  private final TestCluster cluster = TestCluster.simulated();

  @AfterEach
  void close() {
    cluster.close();
  }

  private void driver(String name) {
    String yaml =
        """
        apiVersion: cxi.hpe.com/v1
        kind: CXIDriver
        metadata: {name: %s}
        spec: %s
        """
            .formatted(name, TestDrivers.SEED.replace("\n", " "));
    var _ =
        cluster
            .client()
            .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
            .create();
    cluster.pass(Duration.ofSeconds(1)); // the older one is active
  }

  private List<String> reasons(String name) {
    var status = cluster.client().resources(CXIDriver.class).withName(name).require().getStatus();
    return status == null || status.conditions() == null
        ? List.of()
        : status.conditions().stream().map(Condition::reason).toList();
  }

  @Test
  void theActiveDriverIsServedWhileAnotherMeetsABug() {
    cluster.define(CrdCatalog.yaml());
    cluster.eventually().until(() -> cluster.client().resources(CXIDriver.class).list() != null);
    driver("b-good");
    driver("a-bad");
    LoopBug bug = new LoopBug().atWritesTo("/cxidrivers/a-bad");
    Kube kube = cluster.process(bug).kube();
    try (CXIDriverController controller =
        new CXIDriverController(
            kube,
            new CXIDriverController.Settings("default", TestDrivers.IMAGES, "service", "validator"),
            Optional::empty)) {
      controller.start();

      bug.staysIn(
          "cxi-driver",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(reasons("b-good")).isNotEmpty();
            assertThat(reasons("a-bad")).isEmpty();
          },
          () -> assertThat(reasons("a-bad")).contains("AnotherCXIDriverActive"));
    }
  }
}
