package dev.drydock.app.operator;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Updates of nodes that users choose by deleting their driver agents. */
class DriverOnDeleteTest {
  private static final String DRIVER = "cxi-driver";
  private static final int NODES = 5;
  private final DriverRolloutFixture fixture = DriverRolloutFixture.simulated(NODES);

  @BeforeEach
  void begin() {
    fixture.driver(DRIVER, "1.0.0", "");
    fixture.installed(NODES);
    String before = fixture.wanted();
    fixture.change(
        DRIVER,
        spec -> {
          spec.put("version", "2.0.0");
          spec.putObject("updateStrategy").put("type", "OnDelete");
        });
    fixture.eventually().untilAsserted(() -> assertThat(fixture.wanted()).isNotEqualTo(before));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private void deleteAgent(String node) {
    fixture.delete(Resource.PODS, fixture.agent(node));
  }

  private List<ApiObject> maintenances() {
    return fixture.list(StandInDriverAgents.MAINTENANCES);
  }

  @Test
  void aNodeIsUpdatedWhenItsAgentIsDeletedAndNoOther() {
    fixture.pass(Duration.ofMinutes(30));
    assertThat(fixture.at(fixture.wanted())).as("nothing happens by itself").isZero();
    assertThat(fixture.mostOut()).isZero();
    assertThat(fixture.list(DriverRolloutFixture.CAMPAIGNS)).isEmpty();
    assertThat(text(fixture.condition(DRIVER, "Progressing"), "message"))
        .isEqualTo(
            "5 nodes have another driver; with OnDelete a node is updated when you delete its driver agent's pod");
    long before = fixture.writes();
    fixture.pass(Duration.ofMinutes(1));
    assertThat(fixture.writes()).isEqualTo(before);

    String chosen = fixture.nodes().get(2).name();
    deleteAgent(chosen);
    fixture.eventually().until(() -> !maintenances().isEmpty());
    assertThat(maintenances())
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.namespace()).isEqualTo(fixture.namespace());
              assertThat(text(each.spec(), "nodeObject")).isEqualTo(chosen);
            });
    fixture.eventually().untilAsserted(() -> assertThat(fixture.at(fixture.wanted())).isEqualTo(1));
    fixture.eventually().until(() -> maintenances().isEmpty());
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    fixture.eventually().until(() -> fixture.updateState(chosen).equals("done"));

    fixture.pass(Duration.ofMinutes(30));
    assertThat(fixture.at(fixture.wanted())).isEqualTo(1);
    assertThat(fixture.mostOut()).isEqualTo(1);
  }

  @Test
  void allAtOnceKeepTheBudgetAlthoughTheOperatorIsKilled() {
    fixture.nodes().forEach(node -> deleteAgent(node.name()));
    Random random = new Random(5);
    for (int i = 0; i < 8; i++) {
      fixture.pass(Duration.ofMillis(random.nextInt(30_000)));
      fixture.killOperator();
      fixture.startOperator();
    }
    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.at(fixture.wanted())).as(fixture::described).isEqualTo(NODES));
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    assertThat(fixture.mostOut()).as("10 %% of 5, at least 1").isEqualTo(1);
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(text(fixture.condition(DRIVER, "Progressing"), "message"))
                    .isEqualTo("everything is set up"));
  }

  @Test
  void aVersionThatFailedIsRolledBackAndNotTriedAgain() {
    fixture.agents.broken.add(fixture.wanted());
    String chosen = fixture.nodes().get(0).name();
    deleteAgent(chosen);

    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.reason(DRIVER, "Degraded")).isEqualTo("RolledBack"));
    assertThat(text(fixture.condition(DRIVER, "Degraded"), "message"))
        .contains(chosen, "make failed");
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    fixture.pass(Duration.ofHours(1));
    assertThat(maintenances()).isEmpty();
    assertThat(fixture.updateState(chosen)).isEqualTo("rolled-back");
    assertThat(fixture.mostOut()).isEqualTo(1);
  }

  @Test
  void aDriverThatIsDeletedMeanwhileLetsTheNodeGo() {
    deleteAgent(fixture.nodes().get(0).name());
    fixture.eventually().until(() -> fixture.unschedulable() == 1);

    fixture.delete(
        DriverRolloutFixture.DRIVERS, fixture.get(DriverRolloutFixture.DRIVERS, "", DRIVER));

    fixture
        .eventually()
        .until(() -> fixture.find(DriverRolloutFixture.DRIVERS, "", DRIVER).isEmpty());
    fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
    assertThat(fixture.nodes())
        .allSatisfy(node -> assertThat(node.labels()).doesNotContainKeys(CxiNames.DRIVER_LABEL));
  }
}
