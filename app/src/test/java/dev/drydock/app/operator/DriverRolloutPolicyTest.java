package dev.drydock.app.operator;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.maintenance.MaintenanceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What users can ask of a roll-out, and what it has to respect. */
class DriverRolloutPolicyTest {
  private static final String DRIVER = "cxi-driver";
  private @Nullable DriverRolloutFixture open;

  private DriverRolloutFixture with(int nodes, String strategy, Map<String, String> settings) {
    DriverRolloutFixture fixture =
        DriverRolloutFixture.simulated(
            nodes,
            settings.isEmpty()
                ? Map.of()
                : Map.of(MaintenanceSettings.BUDGETS, settings.getOrDefault("budgets", "")));
    open = fixture;
    fixture.driver(DRIVER, "1.0.0", "");
    fixture.installed(nodes);
    if (!strategy.isEmpty()) {
      fixture.update(DRIVER, strategy);
    }
    return fixture;
  }

  private DriverRolloutFixture with(int nodes, String strategy) {
    return with(nodes, strategy, Map.of());
  }

  @AfterEach
  void stop() {
    if (open != null) {
      open.close();
    }
  }

  private static void updated(DriverRolloutFixture fixture, int nodes) {
    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.at(fixture.wanted())).as(fixture::described).isEqualTo(nodes));
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
  }

  private static void label(DriverRolloutFixture fixture, String node, String key, String value) {
    var _ =
        Patch.sameUid(Resource.NODES, fixture.get(Resource.NODES, "", node))
            .label(key, value.isEmpty() ? null : value)
            .send(fixture.kube().http());
  }

  @Test
  void nodesThatOptOutStayAsTheyAreUntilTheLabelIsGone() {
    DriverRolloutFixture fixture = with(4, "");
    String skipped = fixture.nodes().getFirst().name();
    label(fixture, skipped, CxiNames.SKIP_UPDATE, "true");
    fixture.update(DRIVER, "{version: 2.0.0}");
    updated(fixture, 3);
    fixture.pass(Duration.ofHours(1));
    assertThat(fixture.at(fixture.wanted())).isEqualTo(3);
    assertThat(fixture.reason(DRIVER, "Progressing")).isEqualTo("Deployed");
    assertThat(
            text(fixture.get(DriverRolloutFixture.DRIVERS, "", DRIVER).status(), "driverVersion"))
        .isEqualTo("2.0.0");

    label(fixture, skipped, CxiNames.SKIP_UPDATE, "");
    updated(fixture, 4);
  }

  @Test
  void aPausedRolloutWaitsAndSaysSo() {
    DriverRolloutFixture fixture = with(4, "{version: 2.0.0, updateStrategy: {paused: true}}");
    fixture.pass(Duration.ofHours(1));
    assertThat(fixture.mostOut()).isZero();
    assertThat(fixture.reason(DRIVER, "Progressing")).isEqualTo("RolloutPaused");
    fixture.update(DRIVER, "{updateStrategy: {paused: false}}");
    updated(fixture, 4);
    assertThat(fixture.list(DriverRolloutFixture.CAMPAIGNS)).hasSize(1);
  }

  @Test
  void nodesOfOneSwitchDoNotLeaveTogether() {
    DriverRolloutFixture fixture = with(12, "");
    List<ApiObject> nodes = fixture.nodes();
    for (int i = 0; i < nodes.size(); i++) {
      label(fixture, nodes.get(i).name(), CxiNames.FIRST_SWITCH, "sw-" + i % 4);
    }
    fixture.update(
        DRIVER,
        "{version: 2.0.0, updateStrategy: {maxUnavailable: 50%, maxUnavailablePerSwitch: 1}}");
    updated(fixture, 12);
    assertThat(fixture.mostOfOneSwitch()).isEqualTo(1);
    assertThat(fixture.mostOut()).as("the switches are updated side by side").isBetween(2, 4);
  }

  @Test
  void devicesThatCountErrorsAfterTheUpdateStopTheRollout() {
    DriverRolloutFixture fixture =
        with(5, "{version: 2.0.0, updateStrategy: {gate: {soakSeconds: 600, maxLinkFlaps: 1}}}");
    String canary = out(fixture);
    fixture.eventually().until(() -> fixture.updateState(canary).equals("verifying"));
    fixture.pass(Duration.ofMinutes(5));
    assertThat(fixture.updateState(canary)).as("it soaks").isEqualTo("verifying");
    fixture.agents.counted(canary, 2, 0, 0);

    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.reason(DRIVER, "Degraded")).isEqualTo("RolledBack"));
    assertThat(text(fixture.condition(DRIVER, "Degraded"), "message"))
        .contains(canary, "cxi0: 2 link flaps, and 1 are allowed");
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    fixture.pass(Duration.ofHours(1));
    assertThat(fixture.at(fixture.wanted())).isZero();
    assertThat(fixture.mostOut()).isEqualTo(1);
  }

  private static String out(DriverRolloutFixture fixture) {
    fixture.eventually().until(() -> fixture.unschedulable() == 1);
    return fixture.nodes().stream()
        .filter(node -> node.spec().path("unschedulable").asBoolean(false))
        .findFirst()
        .orElseThrow()
        .name();
  }

  @Test
  void modulesInUseKeepTheNodeOutUntilItsBootAndTheUpdateGoesOn() {
    DriverRolloutFixture fixture = with(3, "");
    fixture.update(DRIVER, "{version: 2.0.0, updateStrategy: {paused: true}}");
    String wanted = fixture.wanted();
    fixture.agents.use(wanted);
    fixture.update(DRIVER, "{updateStrategy: {paused: false}}");
    String canary = out(fixture);
    fixture.eventually().until(() -> fixture.updateState(canary).equals("reboot-required"));
    fixture.pass(Duration.ofHours(2));
    assertThat(fixture.updateState(canary)).isEqualTo("reboot-required");
    assertThat(fixture.reason(DRIVER, "Progressing")).isEqualTo("Updating");
    assertThat(fixture.mostOut()).as("the roll-out waits").isEqualTo(1);
    fixture.killOperator();
    fixture.startOperator();

    fixture.agents.boot(wanted);
    updated(fixture, 3);
  }

  @Test
  void whileTheAndonCordIsPulledNoNodeLeavesAndNoAgentIsReplaced() {
    DriverRolloutFixture fixture = with(3, "");
    AndonCord cord = new AndonCord(fixture.kube(), fixture.namespace());
    var _ = cord.pull("a test", "smoke");
    fixture.pass(Duration.ofSeconds(5));
    List<String> agents = agents(fixture);
    fixture.update(DRIVER, "{version: 2.0.0}");
    fixture.pass(Duration.ofHours(1));
    assertThat(fixture.mostOut()).isZero();
    assertThat(agents(fixture)).isEqualTo(agents);

    assertThat(cord.release()).isTrue();
    updated(fixture, 3);
  }

  private static List<String> agents(DriverRolloutFixture fixture) {
    return fixture.nodes().stream().map(node -> fixture.agent(node.name()).uid()).toList();
  }

  @Test
  void anotherCampaignBesideItKeepsTheBudgetsOfTheOperatorTogetherWithIt() {
    DriverRolloutFixture fixture = with(10, "", Map.of("budgets", "[{maxUnavailable: 3}]"));
    fixture.create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: firmware}
        spec:
          drain: {builtin: {}}
          maintenance: {outside: {}}
          validation: {none: {}}
        """);
    fixture.agents.complete("firmware");
    fixture.create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceCampaign
        metadata: {name: firmware}
        spec:
          nodeSelector: {matchLabels: {cxi: %1$s}}
          maintenanceClass: firmware
          namespace: %1$s
          budgets: [{maxUnavailable: 50%%}]
        """
            .formatted(fixture.namespace()));
    fixture.update(DRIVER, "{version: 2.0.0, updateStrategy: {maxUnavailable: 50%}}");
    updated(fixture, 10);
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(
                        text(
                            fixture.get(DriverRolloutFixture.CAMPAIGNS, "", "firmware").status(),
                            "phase"))
                    .isEqualTo("Completed"));
    assertThat(fixture.mostOut()).as("both together").isEqualTo(3);
  }

  @Test
  void aNodeThatIsNotReadyCounts() {
    DriverRolloutFixture fixture = with(5, "");
    String hanging = fixture.nodes().getFirst().name();
    fixture.silence(hanging, true);
    fixture.forgetMostOut();
    fixture.update(DRIVER, "{version: 2.0.0, updateStrategy: {maxUnavailable: '1'}}");
    fixture.pass(Duration.ofHours(1));
    assertThat(fixture.at(fixture.wanted())).as("the one that may be out is out").isZero();
    fixture.silence(hanging, false);
    updated(fixture, 5);
    assertThat(fixture.mostOut()).isEqualTo(1);
  }

  @Test
  void windowsThatPeopleAddToItsCampaignHold() {
    DriverRolloutFixture fixture = with(3, "{version: 2.0.0, updateStrategy: {paused: true}}");
    fixture.eventually().until(() -> !fixture.list(DriverRolloutFixture.CAMPAIGNS).isEmpty());
    var _ =
        Patch.sameUid(
                DriverRolloutFixture.CAMPAIGNS,
                fixture.list(DriverRolloutFixture.CAMPAIGNS).getFirst())
            .spec(
                spec ->
                    spec.putArray("windows")
                        .addObject()
                        .put("schedule", "0 22 * * *")
                        .put("duration", "2h"))
            .send(fixture.kube().http());
    fixture.update(DRIVER, "{updateStrategy: {paused: false}}");
    fixture.pass(Duration.ofHours(20));
    assertThat(fixture.mostOut()).as("it began at midnight").isZero();
    fixture.pass(Duration.ofHours(3));
    assertThat(fixture.at(fixture.wanted())).as(fixture::described).isEqualTo(3);
    assertThat(fixture.unschedulable()).isZero();
  }
}
