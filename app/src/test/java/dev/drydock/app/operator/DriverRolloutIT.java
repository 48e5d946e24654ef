package dev.drydock.app.operator;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Resource;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Roll-outs of drivers on a real API server, with simulated kubelets and driver agents. */
@ClusterTest
class DriverRolloutIT {
  private static final String DRIVER = "cxi-driver";

  /** More of them with -Drollout.nodes=45 -Drollout.kills=20, which takes minutes. */
  private static final int NODES = Integer.getInteger("rollout.nodes", 20);

  private static final int KILLS = Integer.getInteger("rollout.kills", 8);

  private final ControlPlane cluster;
  private final String namespace;
  private @Nullable DriverRolloutFixture open;

  DriverRolloutIT(ControlPlane cluster, TestNamespace namespace) {
    this.cluster = cluster;
    this.namespace = namespace.name();
  }

  private DriverRolloutFixture with(int nodes) {
    DriverRolloutFixture fixture = DriverRolloutFixture.real(cluster, namespace, nodes);
    open = fixture;
    // only what a roll-out needs: a real control plane takes its time for hundreds of pods
    fixture.driver(
        DRIVER,
        "1.0.0",
        """
        devicePlugin: {enabled: false}
          retryHandler: {enabled: false}
          metricsExporter: {enabled: false}
        """);
    fixture.installed(nodes);
    return fixture;
  }

  @AfterEach
  void stop() {
    if (open != null) {
      open.close();
    }
  }

  private static void update(DriverRolloutFixture fixture, String version) {
    String before = fixture.wanted();
    fixture.change(DRIVER, spec -> spec.put("version", version));
    fixture.eventually().untilAsserted(() -> assertThat(fixture.wanted()).isNotEqualTo(before));
  }

  @Test
  void aRolloutKeepsItsBudgetAlthoughTheOperatorIsKilledAndABadVersionGoesNoFurtherThanTheCanary() {
    DriverRolloutFixture fixture = with(NODES);
    ApiObject cordoned = fixture.nodes().getFirst();
    fixture.cordon(cordoned.name(), true);
    fixture.forgetMostOut();

    fixture.update(DRIVER, "{version: 2.0.0, updateStrategy: {maxUnavailable: 24%}}");
    String wanted = fixture.wanted();
    Random random = new Random(20);
    for (int i = 0; i < KILLS; i++) {
      fixture.pass(Duration.ofMillis(200 + random.nextInt(1000)));
      fixture.killOperator();
      fixture.startOperator();
    }
    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.at(wanted)).as(fixture::described).isEqualTo(NODES - 1));
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isEqualTo(1));

    assertThat(fixture.mostOut()).as("24 %% of all, rounded down").isBetween(2, NODES * 24 / 100);
    assertThat(
            fixture
                .get(Resource.NODES, "", cordoned.name())
                .spec()
                .path("unschedulable")
                .asBoolean())
        .as("what a person cordoned stays so")
        .isTrue();
    assertThat(fixture.list(DriverRolloutFixture.CAMPAIGNS))
        .extracting(ApiObject::name)
        .containsExactly("cxi-driver-rollout-2");
    fixture.cordon(cordoned.name(), false);
    fixture.eventually().untilAsserted(() -> assertThat(fixture.at(wanted)).isEqualTo(NODES));
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    fixture.forgetMostOut();
    isRolledBack(fixture, wanted);
  }

  private void isRolledBack(DriverRolloutFixture fixture, String good) {
    fixture.agents.allBroken = true;
    update(fixture, "3.0.0");

    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.reason(DRIVER, "Degraded")).isEqualTo("RolledBack"));
    assertThat(text(fixture.condition(DRIVER, "Degraded"), "message"))
        .containsPattern("node \\S+ went back from 3.0.0")
        .contains("step build: make failed", "make: *** [all] Error 2");
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(
                        text(
                            fixture
                                .get(DriverRolloutFixture.CAMPAIGNS, "", "cxi-driver-rollout-3")
                                .status(),
                            "phase"))
                    .isEqualTo("Stopped"));
    assertThat(fixture.at(good)).isEqualTo(NODES);
    assertThat(fixture.mostOut()).isEqualTo(1);
    assertThat(cluster.kubectl("get", "cxidrivers", "-o", "wide").output())
        .contains("DEGRADED", "RolledBack");
  }

  @Test
  void whatChangesInTheMiddleLeavesNothingBehind() {
    DriverRolloutFixture fixture = with(4);
    update(fixture, "2.0.0");
    String second = fixture.wanted();
    fixture.eventually().until(() -> fixture.at(second) >= 2);
    update(fixture, "3.0.0");
    String third = fixture.wanted();
    ApiObject gone = fixture.nodes().getLast();
    Delete.sameUid(Resource.NODES, gone).send(fixture.kube().http());

    fixture
        .eventually()
        .untilAsserted(() -> assertThat(fixture.at(third)).as(fixture::described).isEqualTo(3));
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    assertThat(fixture.mostOut()).isLessThanOrEqualTo(1);

    update(fixture, "4.0.0");
    fixture.eventually().until(() -> fixture.unschedulable() == 1);
    Delete.sameUid(
            DriverRolloutFixture.DRIVERS, fixture.get(DriverRolloutFixture.DRIVERS, "", DRIVER))
        .send(fixture.kube().http());

    fixture
        .eventually()
        .until(() -> fixture.find(DriverRolloutFixture.DRIVERS, "", DRIVER).isEmpty());
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    assertThat(fixture.nodes())
        .hasSize(3)
        .allSatisfy(
            node -> {
              assertThat(node.labels())
                  .doesNotContainKeys(CxiNames.DRIVER_LABEL, CxiNames.ROLLOUT_LABEL);
              assertThat(node.annotations()).doesNotContainKey("drydock.dev/holds");
            });
    fixture.eventually().until(() -> fixture.daemonSets().isEmpty());
    fixture.eventually().until(() -> fixture.list(DriverRolloutFixture.CAMPAIGNS).isEmpty());
  }
}
