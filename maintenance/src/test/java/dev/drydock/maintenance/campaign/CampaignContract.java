package dev.drydock.maintenance.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus;
import dev.drydock.kube.CallHook;
import dev.drydock.maintenance.control.Yard;
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
  private Harbour harbour;

  @BeforeEach
  void open(Yard yard) {
    harbour = new Harbour(yard);
  }

  @AfterEach
  void close() {
    harbour.close();
  }

  @Test
  void maintainsEveryNodeOfARackOneAfterTheOther() {
    Set<String> nodes = harbour.nodes("a", 3);
    try (Harbour.Witness witness = harbour.witness();
        Harbour.Operator _ = harbour.operator()) {
      String campaign = harbour.campaign("firmware", harbour.goodClass(), "");
      harbour.awaitPhase(campaign, "Completed");

      assertThat(witness.everOut()).isEqualTo(nodes);
      assertThat(witness.mostAtOnce()).isEqualTo(Map.of("a", 1));
      MaintenanceCampaignStatus status = harbour.status(campaign);
      assertThat(status.counts()).isEqualTo(new MaintenanceCampaignStatus.Counts(3, 0, 0, 3, 0));
      assertThat(status.startedAt()).isNotNull();
      assertThat(status.eta()).isNull();
      assertThat(Objects.requireNonNull(status.conditions()))
          .extracting(condition -> condition.type() + " " + condition.status())
          .containsExactly("Valid True", "Complete True");
      nodes.forEach(node -> assertThat(harbour.isCordoned(node)).as(node).isFalse());
      nodes.forEach(node -> harbour.yard.awaitGone(campaign + "-" + node));
    }
  }

  @Test
  void keepsBudgetsAlsoWithTwoCampaignsAndTwoOperatorsAtOnce() {
    Set<String> nodes = harbour.nodes("a", 2);
    nodes.addAll(harbour.nodes("b", 2));
    String clazz = harbour.goodClass();
    try (Harbour.Witness witness = harbour.witness();
        Harbour.Operator _ = harbour.operator();
        Harbour.Operator _ = harbour.operator()) {
      String firmware = harbour.campaign("firmware", clazz, "order: name");
      String disks = harbour.campaign("disks", clazz, "order: age");
      harbour.awaitPhase(firmware, "Completed");
      harbour.awaitPhase(disks, "Completed");

      assertThat(witness.everOut()).isEqualTo(nodes);
      assertThat(witness.mostAtOnce()).isEqualTo(Map.of("a", 1, "b", 1));
      assertThat(Objects.requireNonNull(harbour.status(disks).counts()).done()).isEqualTo(4);
    }
  }

  @Test
  void haltsAtAFailureAndGoesOnWhenItIsMended() {
    String first = harbour.node("a");
    String second = harbour.node("a");
    try (Harbour.Operator _ = harbour.operator()) {
      String campaign = harbour.campaign("firmware", harbour.badClass(), "order: name");
      harbour.awaitPhase(campaign, "Halted");
      assertThat(harbour.waits(campaign)).containsExactly("FailuresReached");
      assertThat(Objects.requireNonNull(harbour.status(campaign).nodes()))
          .extracting(node -> node.name() + " " + node.state())
          .containsExactly(first + " Failed", second + " Next");
      assertThat(harbour.isCordoned(first)).isTrue();
      assertThat(harbour.isCordoned(second)).isFalse();

      harbour.goodClass();
      harbour.clazz("bad", "outside: {}", "none: {}", "");
      harbour.yard.delete(campaign + "-" + first);
      harbour.yard.kubectl("uncordon", first);
      Yard.eventually()
          .until(() -> harbour.yard.state(campaign + "-" + first), "ObjectsDrained"::equals);
    }
  }

  @Test
  void waitsForApprovalAndStandsStillWhenPausedAndEndsWhenStopped() {
    String first = harbour.node("a");
    String second = harbour.node("a");
    try (Harbour.Operator _ = harbour.operator()) {
      String waitsForSomebody = harbour.clazz("manual", "outside: {}", "none: {}", "");
      String campaign =
          harbour.campaign("firmware", waitsForSomebody, "approval: {required: true}");
      harbour.awaitPhase(campaign, "AwaitingApproval");
      assertThat(harbour.waits(campaign)).containsExactly("ApprovalNeeded");
      assertThat(harbour.isCordoned(first) || harbour.isCordoned(second)).isFalse();

      harbour.yard.kubectl(
          "annotate", "maintenancecampaign", campaign, "drydock.dev/approved-by=kim");
      Yard.eventually().until(() -> harbour.isCordoned(first) || harbour.isCordoned(second));
      Yard.eventually().until(() -> harbour.status(campaign).approvedBy(), "kim"::equals);

      patch(campaign, "{\"spec\":{\"paused\":true}}");
      harbour.awaitPhase(campaign, "Paused");
      String out = harbour.isCordoned(first) ? first : second;
      harbour.yard.awaitState(campaign + "-" + out, "ObjectsDrained");
      harbour.yard.annotate(campaign + "-" + out, "maintenanceClient", "complete");
      Yard.eventually()
          .until(() -> Objects.requireNonNull(harbour.status(campaign).counts()).done() == 1);
      String other = out.equals(first) ? second : first;
      assertThat(harbour.isCordoned(other)).as("nothing leaves while paused").isFalse();

      patch(campaign, "{\"spec\":{\"stopped\":true}}");
      harbour.awaitPhase(campaign, "Stopped");
    }
  }

  private void patch(String campaign, String patch) {
    harbour.yard.kubectl("patch", "maintenancecampaign", campaign, "--type=merge", "-p", patch);
  }

  @Test
  void saysWhatTheAndonCordKeepsBack() {
    harbour.node("a");
    try (Harbour.Operator _ =
        harbour.operator(CallHook.NONE, Optional.of("stopped by kim since today"))) {
      String campaign = harbour.campaign("firmware", harbour.goodClass(), "");
      harbour.awaitPhase(campaign, "Paused");
      assertThat(harbour.waits(campaign)).containsExactly("AndonCord");
    }
  }

  @Test
  void singleMaintenancesKeepTheBudgetOfTheirClass() {
    String first = harbour.node("a");
    String second = harbour.node("a");
    String clazz =
        harbour.clazz(
            "one",
            "outside: {}",
            "none: {}",
            "budgets: [{key: %s, maxUnavailable: 1}]".formatted(harbour.rackLabel()));
    try (Harbour.Operator _ = harbour.operator()) {
      harbour.yard.create("m1", first, "fw-17", clazz);
      harbour.yard.awaitState("m1", "ObjectsDrained");
      harbour.yard.create("m2", second, "fw-17", clazz);
      Yard.eventually()
          .until(
              () -> harbour.yard.waitingFor("m2"),
              why -> why.contains("1 of at most 1 out") && why.contains(first));
      assertThat(harbour.isCordoned(second)).isFalse();

      harbour.yard.annotate("m1", "maintenanceClient", "complete");
      harbour.yard.awaitGone("m1");
      harbour.yard.awaitState("m2", "ObjectsDrained");
    }
  }

  @Test
  void saysWhatIsWrongWithACampaignThatCannotBeCarriedOut() {
    harbour.node("a");
    try (Harbour.Operator _ = harbour.operator()) {
      String campaign = harbour.campaign("firmware", "no-such-class", "");
      harbour.awaitPhase(campaign, "Invalid");
      assertThat(Objects.requireNonNull(harbour.status(campaign).conditions()).getFirst().message())
          .contains("no MaintenanceClass is named \"no-such-class\"");
      assertThat(List.of(harbour.phase(campaign))).containsExactly("Invalid");
    }
  }
}
