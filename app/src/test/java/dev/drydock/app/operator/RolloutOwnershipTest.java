package dev.drydock.app.operator;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Patch;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A roll-out acts on its own maintenances only. There are no admission policies here: what is shown
 * does not depend on them.
 */
class RolloutOwnershipTest {
  private static final String DRIVER = "cxi-driver";
  private static final String ROLLOUT = "cxi-driver-rollout-2";
  private static final int NODES = 5;
  private final DriverRolloutFixture fixture = DriverRolloutFixture.simulated(NODES);
  private String old = "";

  @BeforeEach
  void begin() {
    fixture.driver(DRIVER, "1.0.0", "");
    fixture.installed(NODES);
    old = fixture.wanted();
    fixture.create("{apiVersion: v1, kind: Namespace, metadata: {name: tenant}}");
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private void update(boolean paused) {
    fixture.change(
        DRIVER,
        spec -> {
          spec.put("version", "2.0.0");
          spec.putObject("updateStrategy").put("paused", paused);
        });
    fixture
        .eventually()
        .until(() -> fixture.find(DriverRolloutFixture.CAMPAIGNS, "", ROLLOUT).isPresent());
  }

  private ApiObject campaign() {
    return fixture.get(DriverRolloutFixture.CAMPAIGNS, "", ROLLOUT);
  }

  private ApiObject maintenance(String namespace, String name) {
    return fixture.get(StandInDriverAgents.MAINTENANCES, namespace, name);
  }

  private void annotate(ApiObject maintenance, String key, String value) {
    var _ =
        Patch.sameUid(StandInDriverAgents.MAINTENANCES, maintenance)
            .annotation(key, value)
            .send(fixture.kube().http());
  }

  private void assertUntouched(String namespace, String name, String node, ApiObject agent) {
    assertThat(fixture.at(old)).as("no driver was installed").isEqualTo(NODES);
    assertThat(fixture.agent(node).uid()).as("its agent still runs").isEqualTo(agent.uid());
    assertThat(maintenance(namespace, name).annotations())
        .doesNotContainKeys(CxiNames.ROLLBACK_TO, CxiNames.FAILURE);
    assertThat(fixture.updateState(node)).isIn("", "pending");
    assertThat(
            fixture.get(DriverRolloutFixture.DRIVERS, "", DRIVER).status().path("updating").asInt())
        .isZero();
  }

  /** Everything that a tenant can write is forged. */
  @Test
  void aTenantsMaintenanceThatNamesTheClassIsNotServed() {
    update(true);
    String node = fixture.nodes().get(3).name();
    ApiObject agent = fixture.agent(node);
    ApiObject driver = fixture.get(DriverRolloutFixture.DRIVERS, "", DRIVER);
    fixture.create(
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata:
          name: forged
          namespace: tenant
          labels:
            app.kubernetes.io/managed-by: slingshot-operator
            app.kubernetes.io/instance: cxi-driver
            drydock.dev/campaign: cxi-driver-rollout-2
            drydock.dev/campaign-uid: %s
          ownerReferences:
            - {apiVersion: cxi.hpe.com/v1, kind: CXIDriver, name: cxi-driver, uid: %s}
        spec:
          nodeObject: %s
          maintenanceID: cxi-driver-rollout-2
          maintenanceType: planned
          maintenanceClass: cxi-driver-rollout-2
        """
            .formatted(campaign().uid(), driver.uid(), node));
    fixture
        .eventually()
        .until(
            () ->
                text(maintenance("tenant", "forged").status(), "maintenanceStatus")
                    .equals("ObjectsDrained"));

    fixture.pass(Duration.ofHours(1));
    assertUntouched("tenant", "forged", node, agent);
    assertThat(maintenance("tenant", "forged").annotations()).doesNotContainKey(CxiNames.BEFORE);

    annotate(maintenance("tenant", "forged"), "maintenance/maintenanceClient", "complete");
    fixture.pass(Duration.ofHours(1));
    assertThat(text(maintenance("tenant", "forged").status(), "maintenanceStatus"))
        .as("nobody validates it")
        .isEqualTo("Validating");
    assertThat(maintenance("tenant", "forged").annotations())
        .doesNotContainKey("maintenance/validationClient");
    assertUntouched("tenant", "forged", node, agent);
    assertThat(fixture.mostOut()).as("the class has the budget of the roll-out").isEqualTo(1);
  }

  @Test
  void anAdministratorsCampaignOfTheSameClassIsNotServedEither() {
    update(true);
    String node = fixture.nodes().get(4).name();
    ApiObject agent = fixture.agent(node);
    fixture.create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceCampaign
        metadata: {name: other}
        spec:
          nodeSelector: {matchLabels: {kubernetes.io/hostname: %s}}
          maintenanceClass: cxi-driver-rollout-2
          namespace: %s
        """
            .formatted(node, fixture.namespace()));
    fixture.eventually().until(() -> fixture.unschedulable() == 1);
    fixture.pass(Duration.ofHours(1));
    ApiObject made = fixture.list(StandInDriverAgents.MAINTENANCES).getFirst();
    assertThat(text(made.status(), "maintenanceStatus")).isEqualTo("ObjectsDrained");
    assertUntouched(made.namespace(), made.name(), node, agent);
  }

  @Test
  void theClassIsForTheNamespaceOfTheOperator() {
    update(true);
    assertThat(fixture.get(DriverRolloutFixture.CLASSES, "", ROLLOUT).annotations())
        .containsEntry("drydock.dev/allowed-namespaces", fixture.namespace());
  }

  @Test
  void nodesThatAreOutForACampaignThatSomebodyDeletesFinish() {
    update(false);
    fixture.eventually().until(() -> fixture.unschedulable() == 1);
    ApiObject first = campaign();
    fixture.delete(DriverRolloutFixture.CAMPAIGNS, first);

    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.at(fixture.wanted())).as(fixture::described).isEqualTo(NODES));
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    assertThat(campaign().uid()).as("it begins again").isNotEqualTo(first.uid());
    assertThat(fixture.mostOut()).isEqualTo(1);
  }

  @Test
  void aNodeThatSomebodyUncordonsInTheMiddleIsLeftAloneAndTheRolloutHalts() {
    update(false);
    fixture.eventually().until(() -> fixture.unschedulable() == 1);
    String node =
        fixture.nodes().stream()
            .filter(each -> each.spec().path("unschedulable").asBoolean(false))
            .findFirst()
            .orElseThrow()
            .name();
    fixture.eventually().until(() -> fixture.updateState(node).equals("installing"));
    fixture.cordon(node, false);

    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.reason(DRIVER, "Degraded")).isEqualTo("NodesFailed"));
    fixture.pass(Duration.ofHours(1));
    assertThat(text(fixture.condition(DRIVER, "Degraded"), "message"))
        .isEqualTo(
            "1 nodes failed: %s: it was uncordoned before its update was validated"
                .formatted(node));
    assertThat(fixture.unschedulable()).as("the person wins").isZero();
    assertThat(fixture.at(old)).isEqualTo(NODES);

    fixture.delete(
        DriverRolloutFixture.DRIVERS, fixture.get(DriverRolloutFixture.DRIVERS, "", DRIVER));
    fixture
        .eventually()
        .until(() -> fixture.find(DriverRolloutFixture.DRIVERS, "", DRIVER).isEmpty());
  }
}
