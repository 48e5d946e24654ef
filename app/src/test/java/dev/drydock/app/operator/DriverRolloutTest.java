package dev.drydock.app.operator;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Roll-outs of drivers by a whole operator, on simulated nodes in virtual time. */
class DriverRolloutTest {
  private static final String DRIVER = "cxi-driver";
  private DriverRolloutFixture fixture = DriverRolloutFixture.simulated(0);

  private DriverRolloutFixture with(int nodes) {
    fixture.close();
    fixture = DriverRolloutFixture.simulated(nodes);
    return fixture;
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private void update(String version) {
    fixture.change(DRIVER, spec -> spec.put("version", version));
    String before = fixture.wanted();
    fixture.eventually().untilAsserted(() -> assertThat(fixture.wanted()).isNotEqualTo(before));
  }

  @Test
  void aNewDriverIsInstalledAtOnceAndThenNothingIsWritten() {
    with(4).driver(DRIVER, "1.0.0", "");
    fixture.installed(4);

    assertThat(fixture.daemonSets())
        .extracting(ApiObject::name)
        .containsExactlyInAnyOrder(
            "cxi-driver-driver-agent",
            "cxi-driver-device-plugin",
            "cxi-driver-retry-handler",
            "cxi-driver-metrics-exporter");
    assertThat(fixture.list(DriverRolloutFixture.CAMPAIGNS)).isEmpty();
    assertThat(fixture.mostOut()).isZero();
    ApiObject driver = fixture.get(DriverRolloutFixture.DRIVERS, "", DRIVER);
    assertThat(driver.status().path("ready").asInt()).isEqualTo(4);
    assertThat(text(driver.status(), "driverVersion")).isEqualTo("1.0.0");
    fixture.eventually().until(() -> fixture.reason(DRIVER, "Progressing").equals("Deployed"));
    assertThat(driver.conditions().get("Degraded")).isEmpty();

    fixture.pass(Duration.ofMinutes(1));
    long before = fixture.writes();
    fixture.pass(Duration.ofMinutes(1));
    assertThat(fixture.writes()).isEqualTo(before);
  }

  @Test
  void aRolloutKeepsItsBudgetAlthoughTheOperatorIsKilledTwentyTimes() {
    with(45).driver(DRIVER, "1.0.0", "");
    fixture.installed(45);
    ApiObject cordoned = fixture.nodes().getFirst();
    fixture.cordon(cordoned.name(), true);
    String hanging = fixture.nodes().getLast().name();
    fixture.silence(hanging, true);
    fixture.forgetMostOut();

    update("2.0.0");
    Random random = new Random(20);
    for (int i = 0; i < 20; i++) {
      fixture.pass(Duration.ofSeconds(5 + random.nextInt(40)));
      fixture.killOperator();
      fixture.pass(Duration.ofSeconds(random.nextInt(20)));
      fixture.startOperator();
      if (i == 10) {
        assertThat(fixture.mostOut()).as("both count").isBetween(3, 4);
        fixture.silence(hanging, false);
      }
    }
    String wanted = fixture.wanted();
    fixture
        .eventually()
        .untilAsserted(() -> assertThat(fixture.at(wanted)).as(fixture::described).isEqualTo(44));
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isEqualTo(1));

    assertThat(fixture.mostOut()).as("10 %% of 45, rounded down").isLessThanOrEqualTo(4);
    ApiObject kept = fixture.get(Resource.NODES, "", cordoned.name());
    assertThat(kept.spec().path("unschedulable").asBoolean())
        .as("what a person cordoned stays so, and waits for that person")
        .isTrue();
    assertThat(kept.annotations()).containsEntry(CxiNames.UPDATE_STATE, "pending");
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(fixture.nodes())
                    .filteredOn(node -> !node.name().equals(cordoned.name()))
                    .allSatisfy(
                        node ->
                            assertThat(node.annotations())
                                .containsEntry(CxiNames.UPDATE_STATE, "done")));
    assertThat(fixture.list(DriverRolloutFixture.CAMPAIGNS))
        .extracting(ApiObject::name)
        .containsExactly("cxi-driver-rollout-2");
  }

  @Test
  void onlyPodsThatUseADeviceLeave() {
    with(1).driver(DRIVER, "1.0.0", "");
    fixture.installed(1);
    String node = fixture.nodes().getFirst().name();
    for (String resource : List.of("cpu", "hpe.com/cxi")) {
      fixture.create(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: %s, namespace: default}
          spec:
            nodeName: %s
            containers: [{name: main, image: none, resources: {limits: {%s: 1}}}]
          """
              .formatted(resource.equals("cpu") ? "other" : "user", node, resource));
    }
    update("2.0.0");
    String wanted = fixture.wanted();
    fixture.eventually().untilAsserted(() -> assertThat(fixture.at(wanted)).isEqualTo(1));

    assertThat(fixture.find(Resource.PODS, "default", "user")).isEmpty();
    assertThat(fixture.find(Resource.PODS, "default", "other")).isPresent();
  }

  @Test
  void aVersionThatCannotBeBuiltIsRolledBackOnTheCanaryAndGoesNoFurther() {
    with(10).driver(DRIVER, "1.0.0", "");
    fixture.installed(10);
    String old = fixture.wanted();
    fixture.change(DRIVER, spec -> spec.put("version", "2.0.0"));
    fixture.eventually().untilAsserted(() -> assertThat(fixture.wanted()).isNotEqualTo(old));
    fixture.agents.broken.add(fixture.wanted());

    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.reason(DRIVER, "Degraded")).isEqualTo("RolledBack"));
    assertThat(text(fixture.condition(DRIVER, "Degraded"), "message"))
        .containsPattern("node \\S+-node-\\d+ went back")
        .contains("step build: make failed", "make: *** [all] Error 2");
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    fixture.pass(Duration.ofHours(2));

    assertThat(fixture.at(old)).isEqualTo(10);
    assertThat(fixture.mostOut()).isEqualTo(1);
    assertThat(fixture.nodes())
        .filteredOn(node -> "rolled-back".equals(node.annotations().get(CxiNames.UPDATE_STATE)))
        .hasSize(1);
    assertThat(fixture.list(DriverRolloutFixture.CAMPAIGNS))
        .singleElement()
        .satisfies(
            campaign -> {
              assertThat(text(campaign.status(), "phase")).isEqualTo("Stopped");
              assertThat(text(campaign.spec(), "stopReason")).contains("went back");
            });
  }

  @Test
  void withoutRollbackANodeThatIsNotHealthyInTimeStaysOutAndTheRolloutHalts() {
    with(10).driver(DRIVER, "1.0.0", "");
    fixture.installed(10);
    String old = fixture.wanted();
    fixture.change(
        DRIVER,
        spec -> {
          spec.put("version", "2.0.0");
          spec.putObject("updateStrategy").put("rollbackOnFailure", false);
        });
    fixture.eventually().untilAsserted(() -> assertThat(fixture.wanted()).isNotEqualTo(old));
    fixture.agents.deaf.add(fixture.wanted());

    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.reason(DRIVER, "Degraded")).isEqualTo("HealthCheckTimeout"));
    fixture.pass(Duration.ofHours(1));
    assertThat(text(fixture.condition(DRIVER, "Degraded"), "message"))
        .contains("1 nodes failed", "the link of cxi0 is down");
    assertThat(fixture.unschedulable()).isEqualTo(1);
    assertThat(fixture.mostOut()).isEqualTo(1);
    assertThat(
            fixture
                .get(DriverRolloutFixture.DRIVERS, "", DRIVER)
                .spec()
                .path("updateStrategy")
                .path("rollbackOnFailure")
                .asBoolean(true))
        .as("an explicit false survives")
        .isFalse();
  }

  @Test
  void aChangeInTheMiddleStopsTheOldRolloutAndBeginsANewOne() {
    with(10).driver(DRIVER, "1.0.0", "");
    fixture.installed(10);
    update("2.0.0");
    String second = fixture.wanted();
    fixture.eventually().untilAsserted(() -> assertThat(fixture.at(second)).isEqualTo(2));
    update("3.0.0");
    String third = fixture.wanted();
    ApiObject gone = fixture.nodes().getLast();
    Delete.sameUid(Resource.NODES, gone).send(fixture.kube().http());

    fixture.eventually().untilAsserted(() -> assertThat(fixture.at(third)).isEqualTo(9));
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    assertThat(fixture.list(DriverRolloutFixture.CAMPAIGNS))
        .extracting(each -> each.name() + " " + each.spec().path("stopped").asBoolean(false))
        .containsExactlyInAnyOrder("cxi-driver-rollout-2 true", "cxi-driver-rollout-3 false");
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(
                        fixture
                            .get(DriverRolloutFixture.DRIVERS, "", DRIVER)
                            .status()
                            .path("ready")
                            .asInt())
                    .isEqualTo(9));
    assertThat(fixture.list(StandInDriverAgents.DEVICES)).hasSize(9);
  }

  @Test
  void aDriverThatIsDeletedInTheMiddleLetsGoOfEveryNode() {
    with(10).driver(DRIVER, "1.0.0", "retryHandler: {mode: sidecar}");
    fixture.create(
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: slingshot-operator-cxidriver}
        webhooks:
          - name: validate-cxidriver.slingshot.hpe.com
            admissionReviewVersions: [v1]
            sideEffects: None
            clientConfig: {url: "https://127.0.0.1/", caBundle: Y2E=}
        """);
    fixture.installed(10);
    fixture.eventually().until(() -> !fixture.list(DriverRolloutFixture.INJECTORS).isEmpty());
    update("2.0.0");
    fixture.eventually().until(() -> fixture.unschedulable() == 1);
    Delete.sameUid(
            DriverRolloutFixture.DRIVERS, fixture.get(DriverRolloutFixture.DRIVERS, "", DRIVER))
        .send(fixture.kube().http());

    fixture
        .eventually()
        .until(() -> fixture.find(DriverRolloutFixture.DRIVERS, "", DRIVER).isEmpty());
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    fixture.pass(Duration.ofMinutes(10));
    assertThat(fixture.nodes())
        .allSatisfy(
            node -> {
              assertThat(node.labels())
                  .doesNotContainKeys(CxiNames.DRIVER_LABEL, CxiNames.ROLLOUT_LABEL);
              assertThat(node.annotations()).doesNotContainKey("drydock.dev/holds");
            });
    assertThat(fixture.daemonSets()).isEmpty();
    assertThat(fixture.list(DriverRolloutFixture.INJECTORS)).isEmpty();
    assertThat(fixture.list(StandInDriverAgents.DEVICES)).isEmpty();
    assertThat(fixture.mostOut()).isEqualTo(1);
  }

  /** Its caches may not show yet that a node is leaving. */
  @Test
  void aDriverThatIsDeletedAtAnyWriteOfARolloutLeavesNoNodeOut() {
    for (int number = 0; number < 60; number++) {
      with(2).driver(DRIVER, "1.0.0", "");
      fixture.installed(2);
      fixture.failWrite(
          number,
          () ->
              fixture
                  .list(DriverRolloutFixture.DRIVERS)
                  .forEach(each -> fixture.delete(DriverRolloutFixture.DRIVERS, each)));
      fixture.change(DRIVER, spec -> spec.put("version", "2.0.0"));

      fixture
          .eventually()
          .until(() -> fixture.find(DriverRolloutFixture.DRIVERS, "", DRIVER).isEmpty());
      fixture.pass(Duration.ofMinutes(10));
      assertThat(fixture.unschedulable()).as("deleted after %d writes", number).isZero();
    }
  }

  /** Whoever is about to leave, or has left, is answered to, although no agent is left. */
  @Test
  void nodesThatLeaveTheSelectorAtAnyWriteOfARolloutAreNotForgotten() {
    for (int number = 0; number < 30; number++) {
      with(2).driver(DRIVER, "1.0.0", "");
      fixture.installed(2);
      fixture.failWrite(number, () -> fixture.nodes().forEach(this::takeFromDriver));
      fixture.change(DRIVER, spec -> spec.put("version", "2.0.0"));

      fixture.eventually().until(() -> fixture.nodes().isEmpty());
      fixture.pass(Duration.ofHours(1));
      assertThat(fixture.list(StandInDriverAgents.MAINTENANCES))
          .as("taken after %d writes", number)
          .allSatisfy(
              each ->
                  assertThat(text(each.status(), "maintenanceStatus"))
                      .isEqualTo("MaintenanceIncomplete"));
    }
  }

  private void takeFromDriver(ApiObject node) {
    var _ = Patch.sameUid(Resource.NODES, node).label("cxi", null).send(fixture.kube().http());
  }

  @Test
  void aMaintenanceThatIsDeletedWhileTheDriverIsReplacedKeepsItsNodeOut() {
    with(2).driver(DRIVER, "1.0.0", "");
    fixture.installed(2);
    update("2.0.0");
    ApiObject begun =
        fixture
            .eventually()
            .until(
                () ->
                    fixture.list(StandInDriverAgents.MAINTENANCES).stream()
                        .filter(each -> each.annotations().containsKey(CxiNames.BEFORE))
                        .findFirst(),
                Optional::isPresent)
            .orElseThrow();
    fixture.delete(StandInDriverAgents.MAINTENANCES, begun);
    fixture.pass(Duration.ofHours(1));

    assertThat(fixture.unschedulable()).isEqualTo(1);
    assertThat(fixture.find(StandInDriverAgents.MAINTENANCES, fixture.namespace(), begun.name()))
        .as("it goes when somebody uncordons the node")
        .isPresent();
  }

  @Test
  void theOlderOfTwoDriversIsActiveAndTheOtherIsPromotedWhenItIsGone() {
    with(2).driver(DRIVER, "1.0.0", "");
    fixture.driver("second", "1.0.0", "");
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(fixture.reason("second", "Degraded"))
                    .isEqualTo("AnotherCXIDriverActive"));
    assertThat(fixture.reason("second", "Available")).isEqualTo("Ignored");
    assertThat(fixture.daemonSets())
        .allSatisfy(set -> assertThat(set.name()).startsWith("cxi-driver-"));
    assertThat(fixture.get(DriverRolloutFixture.DRIVERS, "", "second").finalizers()).isEmpty();

    Delete.sameUid(
            DriverRolloutFixture.DRIVERS, fixture.get(DriverRolloutFixture.DRIVERS, "", DRIVER))
        .send(fixture.kube().http());
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(
                        fixture
                            .get(DriverRolloutFixture.DRIVERS, "", "second")
                            .conditions()
                            .get("Degraded"))
                    .isEmpty());
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(fixture.daemonSets())
                    .hasSize(4)
                    .allSatisfy(set -> assertThat(set.name()).startsWith("second-")));
  }

  @Test
  void whatIsSwitchedOffIsRemoved() {
    with(1).driver(DRIVER, "1.0.0", "");
    fixture.installed(1);
    fixture.change(
        DRIVER,
        spec -> {
          spec.putObject("retryHandler").put("mode", "none");
          spec.putObject("devicePlugin").put("enabled", false);
        });
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(fixture.daemonSets())
                    .extracting(ApiObject::name)
                    .containsExactlyInAnyOrder(
                        "cxi-driver-driver-agent", "cxi-driver-metrics-exporter"));
    assertThat(
            fixture
                .get(DriverRolloutFixture.DRIVERS, "", DRIVER)
                .spec()
                .path("devicePlugin")
                .path("enabled")
                .asBoolean(true))
        .isFalse();
    fixture.change(DRIVER, spec -> spec.putObject("retryHandler").put("mode", "daemonset"));
    fixture
        .eventually()
        .until(
            () ->
                fixture
                    .find(Resource.DAEMON_SETS, fixture.namespace(), "cxi-driver-retry-handler")
                    .isPresent());
  }
}
