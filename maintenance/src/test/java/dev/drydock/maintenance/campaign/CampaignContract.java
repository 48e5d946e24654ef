package dev.drydock.maintenance.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ObjectName;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.maintenance.control.MaintenanceFixture;
import dev.drydock.testkit.TestProcess;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What campaigns promise on any cluster. */
abstract class CampaignContract {
  private CampaignFixture fixture;

  @BeforeEach
  void open(MaintenanceFixture maintenanceFixture) {
    fixture = new CampaignFixture(maintenanceFixture);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void maintainsEveryNodeOfARackOneAfterTheOther() {
    Set<String> nodes = fixture.nodes("a", 3);
    try (CampaignFixture.Witness witness = fixture.witness();
        CampaignFixture.Operator _ = fixture.operator()) {
      String campaign = fixture.campaign("firmware", fixture.goodClass(), "");
      fixture.awaitPhase(campaign, "Completed");

      assertThat(witness.everOut()).isEqualTo(nodes);
      assertThat(witness.mostAtOnce()).isEqualTo(Map.of("a", 1));
      MaintenanceCampaignStatus status = fixture.status(campaign);
      assertThat(status.counts()).isEqualTo(new MaintenanceCampaignStatus.Counts(3, 0, 0, 3, 0));
      assertThat(status.startedAt()).isNotNull();
      assertThat(status.eta()).isNull();
      assertThat(Objects.requireNonNull(status.conditions()))
          .extracting(condition -> condition.type() + " " + condition.status())
          .containsExactly("Valid True", "Complete True");
      nodes.forEach(node -> assertThat(fixture.isCordoned(node)).as(node).isFalse());
      nodes.forEach(node -> fixture.fixture.awaitGone(fixture.maintenance(campaign, node)));
    }
  }

  @Test
  void worksForNodesAndCampaignsWithTheLongestNames() {
    String node = fixture.nodeWithLongName("a");
    int room = ObjectName.LONGEST - fixture.fixture.namespace.length() - 1;
    try (CampaignFixture.Operator _ = fixture.operator()) {
      String campaign =
          fixture.campaign("c".repeat(room), fixture.goodClass(), "maintenanceID: fw-17");
      fixture.awaitPhase(campaign, "Completed");

      assertThat(campaign).hasSize(ObjectName.LONGEST);
      assertThat(fixture.isCordoned(node)).isFalse();
      fixture.fixture.awaitGone(fixture.maintenance(campaign, node));
    }
  }

  @Test
  void keepsConditionsOfOtherWriters() {
    String node = fixture.node("a");
    String campaign = fixture.campaign("firmware", fixture.goodClass(), "");
    try (TestProcess other = fixture.fixture.process(RequestInterceptor.NONE)) {
      var _ =
          other
              .kube()
              .http()
              .send(
                  ApiCall.mergePatch(
                      "/apis/drydock.dev/v1alpha1/maintenancecampaigns/" + campaign + "/status",
                      """
                      {"status": {"conditions": [{"type": "Audited", "status": "True", "reason": "Seen",
                       "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
                      """))
              .orThrow(campaign);
    }

    try (CampaignFixture.Operator _ = fixture.operator()) {
      fixture.awaitPhase(campaign, "Completed");
      assertThat(Objects.requireNonNull(fixture.status(campaign).conditions()))
          .extracting(condition -> condition.type() + " " + condition.status())
          .containsExactly("Audited True", "Valid True", "Complete True");
      assertThat(fixture.isCordoned(node)).isFalse();
    }
  }

  @Test
  void keepsBudgetsAlsoWithTwoCampaignsAndTwoOperatorsAtOnce() {
    Set<String> nodes = fixture.nodes("a", 2);
    nodes.addAll(fixture.nodes("b", 2));
    String maintenanceClass = fixture.goodClass();
    try (CampaignFixture.Witness witness = fixture.witness();
        CampaignFixture.Operator _ = fixture.operator();
        CampaignFixture.Operator _ = fixture.operator()) {
      String firmware = fixture.campaign("firmware", maintenanceClass, "order: name");
      String disks = fixture.campaign("disks", maintenanceClass, "order: age");
      fixture.awaitPhase(firmware, "Completed");
      fixture.awaitPhase(disks, "Completed");

      assertThat(witness.everOut()).isEqualTo(nodes);
      assertThat(witness.mostAtOnce()).isEqualTo(Map.of("a", 1, "b", 1));
      assertThat(Objects.requireNonNull(fixture.status(disks).counts()).done()).isEqualTo(4);
    }
  }

  @Test
  void haltsAtAFailureAndGoesOnWhenItIsMended() {
    String first = fixture.node("a");
    String second = fixture.node("a");
    try (CampaignFixture.Operator _ = fixture.operator()) {
      String campaign = fixture.campaign("firmware", fixture.badClass(), "order: name");
      fixture.awaitPhase(campaign, "Halted");
      assertThat(fixture.waits(campaign)).containsExactly("FailuresReached");
      assertThat(Objects.requireNonNull(fixture.status(campaign).nodes()))
          .extracting(node -> node.name() + " " + node.state())
          .containsExactly(first + " Failed", second + " Next");
      assertThat(fixture.isCordoned(first)).isTrue();
      assertThat(fixture.isCordoned(second)).isFalse();

      fixture.goodClass();
      fixture.maintenanceClass("bad", "outside: {}", "none: {}", "");
      fixture.fixture.delete(fixture.maintenance(campaign, first));
      fixture.fixture.uncordon(first);
      fixture
          .fixture
          .eventually()
          .until(
              () -> fixture.fixture.state(fixture.maintenance(campaign, first)),
              "ObjectsDrained"::equals);
    }
  }

  @Test
  void waitsForApprovalAndStandsStillWhenPausedAndEndsWhenStopped() {
    String first = fixture.node("a");
    String second = fixture.node("a");
    try (CampaignFixture.Operator _ = fixture.operator()) {
      String waitsForSomebody = fixture.maintenanceClass("manual", "outside: {}", "none: {}", "");
      String campaign =
          fixture.campaign("firmware", waitsForSomebody, "approval: {required: true}");
      fixture.awaitPhase(campaign, "AwaitingApproval");
      assertThat(fixture.waits(campaign)).containsExactly("ApprovalNeeded");
      assertThat(fixture.isCordoned(first) || fixture.isCordoned(second)).isFalse();

      fixture.fixture.kubectl(
          "annotate", "maintenancecampaign", campaign, "drydock.dev/approved-by=kim");
      fixture
          .fixture
          .eventually()
          .until(() -> fixture.isCordoned(first) || fixture.isCordoned(second));
      fixture
          .fixture
          .eventually()
          .until(() -> fixture.status(campaign).approvedBy(), "kim"::equals);

      patch(campaign, "{\"spec\":{\"paused\":true}}");
      fixture.awaitPhase(campaign, "Paused");
      String out = fixture.isCordoned(first) ? first : second;
      fixture.fixture.awaitState(fixture.maintenance(campaign, out), "ObjectsDrained");
      fixture.fixture.annotate(fixture.maintenance(campaign, out), "maintenanceClient", "complete");
      fixture
          .fixture
          .eventually()
          .until(() -> Objects.requireNonNull(fixture.status(campaign).counts()).done() == 1);
      String other = out.equals(first) ? second : first;
      assertThat(fixture.isCordoned(other)).as("nothing leaves while paused").isFalse();

      patch(campaign, "{\"spec\":{\"stopped\":true}}");
      fixture.awaitPhase(campaign, "Stopped");
    }
  }

  private void patch(String campaign, String patch) {
    fixture.fixture.kubectl("patch", "maintenancecampaign", campaign, "--type=merge", "-p", patch);
  }

  @Test
  void saysWhatTheAndonCordKeepsBack() {
    fixture.node("a");
    try (CampaignFixture.Operator _ =
        fixture.operator(RequestInterceptor.NONE, Optional.of("stopped by kim since today"))) {
      String campaign = fixture.campaign("firmware", fixture.goodClass(), "");
      fixture.awaitPhase(campaign, "Paused");
      assertThat(fixture.waits(campaign)).containsExactly("AndonCord");
    }
  }

  @Test
  void singleMaintenancesKeepTheBudgetOfTheirClass() {
    String first = fixture.node("a");
    String second = fixture.node("a");
    String maintenanceClass =
        fixture.maintenanceClass(
            "one",
            "outside: {}",
            "none: {}",
            "budgets: [{key: %s, maxUnavailable: 1}]".formatted(fixture.rackLabel()));
    try (CampaignFixture.Operator _ = fixture.operator()) {
      fixture.fixture.create("m1", first, "fw-17", maintenanceClass);
      fixture.fixture.awaitState("m1", "ObjectsDrained");
      fixture.fixture.create("m2", second, "fw-17", maintenanceClass);
      fixture
          .fixture
          .eventually()
          .until(
              () -> fixture.fixture.waitingFor("m2"),
              why -> why.contains("1 of at most 1 out") && why.contains(first));
      assertThat(fixture.isCordoned(second)).isFalse();

      fixture.fixture.annotate("m1", "maintenanceClient", "complete");
      fixture.fixture.awaitGone("m1");
      fixture.fixture.awaitState("m2", "ObjectsDrained");
    }
  }

  @Test
  void saysWhatIsWrongWithACampaignThatCannotBeCarriedOut() {
    fixture.node("a");
    try (CampaignFixture.Operator _ = fixture.operator()) {
      String campaign = fixture.campaign("firmware", "no-such-class", "");
      fixture.awaitPhase(campaign, "Invalid");
      assertThat(Objects.requireNonNull(fixture.status(campaign).conditions()).getFirst().message())
          .contains("no MaintenanceClass is named \"no-such-class\"");
      assertThat(List.of(fixture.phase(campaign))).containsExactly("Invalid");
    }
  }
}
