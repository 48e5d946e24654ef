package dev.drydock.maintenance.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus.Counts;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus.Ledger;
import dev.drydock.maintenance.control.MaintenanceFixture;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.fault.Fault;
import dev.drydock.sim.fault.FaultPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A campaign is its UID, not its name, and what is stored says which nodes it has maintained. */
class CampaignIdentityTest {
  private static final String SLOW = "slow-operator";
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final CampaignFixture fixture =
      new CampaignFixture(MaintenanceFixture.simulated(cluster()));

  /** On which the first maintenance that the slow operator creates is late. */
  private static SimulatedCluster cluster() {
    FaultPlan late =
        FaultPlan.of(
                new FaultPlan.Rule(
                    1, "create", "notifymaintenances", new Fault.Delayed(Duration.ofSeconds(30))))
            .forUser(SLOW);
    SimulatedCluster[] made = new SimulatedCluster[1];
    made[0] =
        SimulatedCluster.stepped(
            SimulatedCluster.Settings.defaults()
                .withHook(late.inTime(() -> CampaignFixture.time(made[0]))),
            START);
    return made[0];
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aCampaignMadeAgainUnderAnOldNameMaintainsItsNodesAgain() {
    Set<String> nodes = fixture.nodes("a", 2);
    String maintenanceClass = fixture.goodClass();
    try (CampaignFixture.Witness witness = fixture.witness();
        CampaignFixture.Operator _ = fixture.operator()) {
      String campaign = fixture.campaign("firmware", maintenanceClass, "");
      fixture.awaitPhase(campaign, "Completed");
      fixture.delete(campaign);

      var _ = fixture.campaign("firmware", maintenanceClass, "");
      fixture.fixture.pass(Duration.ofSeconds(1));
      fixture.awaitPhase(campaign, "Completed");

      nodes.forEach(node -> assertThat(witness.timesOut(node)).as(node).isEqualTo(2));
      assertThat(fixture.status(campaign).counts()).isEqualTo(new Counts(2, 0, 0, 2, 0));
    }
  }

  @Test
  void aCampaignWhoseRecordIsLostHaltsInsteadOfStartingOver() {
    Set<String> nodes = fixture.nodes("a", 3);
    String maintenanceClass = fixture.goodClass();
    String campaign;
    try (CampaignFixture.Witness witness = fixture.witness()) {
      try (CampaignFixture.Operator _ = fixture.operator()) {
        campaign = fixture.campaign("firmware", maintenanceClass, "order: name");
        fixture.fixture.eventually().until(() -> done(campaign) == 1);
        fixture.patch(campaign, "{\"spec\":{\"paused\":true}}");
        fixture.fixture.eventually().until(() -> fixture.maintenances().isEmpty());
        fixture.awaitPhase(campaign, "Paused");
      }
      int before = done(campaign);
      fixture.deleteLedger();
      fixture.patch(campaign, "{\"spec\":{\"paused\":false}}");

      try (CampaignFixture.Operator _ = fixture.operator()) {
        fixture.awaitPhase(campaign, "Halted");
        fixture.fixture.pass(Duration.ofMinutes(5));

        assertThat(fixture.waits(campaign)).containsExactly("RecordLost");
        assertThat(fixture.status(campaign).ledger())
            .isEqualTo(new Ledger(fixture.fixture.systemNamespace(), before));
        assertThat(nodes.stream().mapToLong(witness::timesOut).sum()).isEqualTo(before);
      }
    }
  }

  @Test
  void nodesThatAreDoneLaterDoNotStandInForTheLostOnes() {
    Set<String> nodes = fixture.nodes("a", 4);
    String maintenanceClass = fixture.goodClass();
    String campaign;
    try (CampaignFixture.Witness witness = fixture.witness()) {
      try (CampaignFixture.Operator _ = fixture.operator()) {
        campaign = fixture.campaign("firmware", maintenanceClass, "order: name");
        fixture
            .fixture
            .eventually()
            .until(() -> new Counts(4, 2, 1, 1, 0).equals(fixture.status(campaign).counts()));
      }
      fixture.deleteLedger();

      try (CampaignFixture.Operator _ = fixture.operator()) {
        fixture.fixture.eventually().until(() -> fixture.maintenances().isEmpty());
        fixture.fixture.pass(Duration.ofMinutes(5));

        assertThat(fixture.phase(campaign)).isEqualTo("Halted");
        assertThat(fixture.waits(campaign)).containsExactly("RecordLost");
        assertThat(fixture.status(campaign).ledger())
            .isEqualTo(new Ledger(fixture.fixture.systemNamespace(), 2));
        nodes.forEach(node -> assertThat(witness.timesOut(node)).as(node).isLessThan(2));
      }
    }
  }

  private int done(String campaign) {
    Counts counts = fixture.status(campaign).counts();
    return counts == null ? 0 : counts.done();
  }

  @Test
  void aCampaignThatEndedStaysEndedWhenItsRecordIsLost() {
    Set<String> nodes = fixture.nodes("a", 2);
    String maintenanceClass = fixture.goodClass();
    String campaign;
    try (CampaignFixture.Witness witness = fixture.witness()) {
      try (CampaignFixture.Operator _ = fixture.operator()) {
        campaign = fixture.campaign("firmware", maintenanceClass, "");
        fixture.awaitPhase(campaign, "Completed");
      }
      fixture.deleteLedger();

      try (CampaignFixture.Operator _ = fixture.operator()) {
        fixture.fixture.pass(Duration.ofMinutes(5));

        assertThat(fixture.phase(campaign)).isEqualTo("Completed");
        assertThat(fixture.status(campaign).counts()).isEqualTo(new Counts(2, 0, 0, 2, 0));
        nodes.forEach(node -> assertThat(witness.timesOut(node)).as(node).isEqualTo(1));
      }
    }
  }

  @Test
  void ofTwoOperatorsInTwoNamespacesOneServesACampaign() {
    Set<String> nodes = fixture.nodes("a", 3);
    String maintenanceClass = fixture.goodClass();
    try (CampaignFixture.Witness witness = fixture.witness();
        CampaignFixture.Operator _ = fixture.operator();
        CampaignFixture.Operator _ = fixture.operatorIn("default")) {
      String campaign = fixture.campaign("firmware", maintenanceClass, "");
      fixture.awaitPhase(campaign, "Completed");
      fixture.fixture.pass(Duration.ofMinutes(5));

      nodes.forEach(node -> assertThat(witness.timesOut(node)).as(node).isEqualTo(1));
      assertThat(witness.mostAtOnce()).isEqualTo(Map.of("a", 1));
      assertThat(fixture.status(campaign).counts()).isEqualTo(new Counts(3, 0, 0, 3, 0));
    }
  }

  @Test
  void aMaintenanceThatOnlyCarriesTheLabelOfACampaignIsNotItsWork() {
    String node = fixture.node("a");
    try (CampaignFixture.Witness witness = fixture.witness();
        CampaignFixture.Operator _ = fixture.operator()) {
      String campaign = fixture.campaign("firmware", fixture.goodClass(), "paused: true");
      fixture.awaitPhase(campaign, "Paused");
      fixture.fixture.create(
          """
          apiVersion: ngn2.nvidia.com/v1alpha1
          kind: NotifyMaintenance
          metadata: {name: forged, namespace: %s, labels: {drydock.dev/campaign: %s}}
          spec: {nodeObject: %s, maintenanceID: forged, maintenanceType: planned}
          """
              .formatted(fixture.fixture.namespace, campaign, node));
      maintainByHand("forged", node);

      fixture.patch(campaign, "{\"spec\":{\"paused\":false}}");
      fixture.awaitPhase(campaign, "Completed");
      assertThat(witness.timesOut(node)).as("by hand, then by the campaign").isEqualTo(2);
    }
  }

  @Test
  void aMaintenanceOfTheSameNameInAnotherNamespaceTakesNoPlaceOfTheCampaign() {
    String node = fixture.node("a");
    try (CampaignFixture.Witness witness = fixture.witness();
        CampaignFixture.Operator _ = fixture.operator()) {
      String campaign = fixture.campaign("firmware", fixture.goodClass(), "paused: true");
      fixture.awaitPhase(campaign, "Paused");
      fixture.fixture.create(
          """
          apiVersion: v1
          kind: Namespace
          metadata: {name: tenant}
          """);
      fixture.fixture.create(
          """
          apiVersion: ngn2.nvidia.com/v1alpha1
          kind: NotifyMaintenance
          metadata: {name: %s, namespace: tenant}
          spec: {nodeObject: %s, maintenanceID: other, maintenanceType: planned}
          """
              .formatted(fixture.maintenance(campaign, node), node));
      fixture.fixture.pass(Duration.ofSeconds(5));

      fixture.patch(campaign, "{\"spec\":{\"paused\":false}}");
      fixture.awaitPhase(campaign, "Completed");
      assertThat(witness.timesOut(node)).isEqualTo(1);
    }
  }

  private void maintainByHand(String name, String node) {
    fixture.fixture.label(node, name);
    fixture.fixture.cordon(node);
    fixture.fixture.awaitState(name, "MaintenanceStarted");
    fixture.fixture.annotate(name, "readyForMaintenance", "true");
    fixture.fixture.awaitState(name, "ObjectsDrained");
    fixture.fixture.annotate(name, "maintenanceClient", "complete");
    fixture.fixture.awaitState(name, "Validating");
    fixture.fixture.annotate(name, "validationClient", "validated");
    fixture.fixture.uncordon(node);
    fixture.fixture.awaitOver(name);
  }

  @Test
  void twoOperatorsMaintainANodeOnceAlsoIfOneIsSlow() {
    String node = fixture.node("a");
    try (CampaignFixture.Witness witness = fixture.witness();
        CampaignFixture.Operator _ = fixture.operatorOf(SLOW);
        CampaignFixture.Operator _ = fixture.operatorOf("quick-operator")) {
      String campaign = fixture.campaign("firmware", fixture.goodClass(), "");
      fixture.awaitPhase(campaign, "Completed");
      fixture.fixture.pass(Duration.ofMinutes(2));

      assertThat(witness.timesOut(node)).isEqualTo(1);
      assertThat(fixture.isCordoned(node)).isFalse();
      assertThat(fixture.maintenances()).as("none is left").isEmpty();
      assertThat(fixture.status(campaign).counts()).isEqualTo(new Counts(1, 0, 0, 1, 0));
    }
  }
}
