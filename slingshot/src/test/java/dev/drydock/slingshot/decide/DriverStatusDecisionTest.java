package dev.drydock.slingshot.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport.State;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.slingshot.decide.DriverStatusDecision.Failure;
import dev.drydock.slingshot.decide.DriverStatusDecision.Readiness;
import dev.drydock.slingshot.decide.DriverStatusDecision.Said;
import dev.drydock.slingshot.decide.RolloutPlan.Campaign;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DriverStatusDecisionTest {
  private static final EffectiveSpec SPEC = TestDrivers.spec(TestDrivers.BUILT);
  private static final String NEW = SPEC.revision();
  private static final Readiness ALL_READY = new Readiness(true, 2, 2, 2);

  private static CxiNode at(String name, String revision) {
    return TestDrivers.node(name)
        .report(TestDrivers.report(State.Installed, revision, null))
        .build();
  }

  private static CxiNode in(MaintenanceState state, Map<String, String> annotations) {
    return TestDrivers.node("out")
        .report(TestDrivers.report(State.Installed, "old", null))
        .maintenance(TestDrivers.maintenance(state, annotations))
        .build();
  }

  private static DriverStatusDecision decide(
      EffectiveSpec spec,
      Optional<Campaign> campaign,
      Optional<Failure> failure,
      CxiNode... nodes) {
    return decide(spec, campaign, failure, ALL_READY, nodes);
  }

  private static DriverStatusDecision decide(
      EffectiveSpec spec,
      Optional<Campaign> campaign,
      Optional<Failure> failure,
      Readiness agents,
      CxiNode... nodes) {
    return DriverStatusDecision.of(
        new DriverStatusDecision.Input(
            TestDrivers.DRIVER,
            spec,
            List.of(nodes),
            campaign,
            Map.of(CxiComponent.DRIVER_AGENT, agents),
            failure,
            false,
            "1.0.0"));
  }

  private static DriverStatusDecision decide(CxiNode... nodes) {
    return decide(SPEC, Optional.empty(), Optional.empty(), nodes);
  }

  private static Campaign campaign(CampaignPhase phase, boolean stopped, String outcome) {
    return new Campaign("r3", 3, NEW, Optional.of(phase), stopped, outcome, "why", false);
  }

  private static Said condition(DriverStatusDecision decision, String type) {
    return decision.conditions().stream()
        .filter(each -> each.type().equals(type))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + type));
  }

  @Test
  void podsThatAreNotCreatedAreSaidToBeWithTheCommandThatMendsIt() {
    Readiness none = new Readiness(true, 5, 0, 0);

    DriverStatusDecision decision =
        decide(SPEC, Optional.empty(), Optional.empty(), none, TestDrivers.node("a").build());

    assertThat(condition(decision, "DriverAgentReady").message())
        .startsWith("0 of 5 pods are ready, and none was created")
        .contains("FailedCreate")
        .endsWith("pod-security.kubernetes.io/enforce=privileged");
  }

  @Test
  void allNodesAtTheVersionIsAvailableAndDeployed() {
    DriverStatusDecision decision = decide(at("a", NEW), at("b", NEW));
    assertThat(condition(decision, "Available"))
        .isEqualTo(new Said("Available", true, "Ready", "2 nodes ready"));
    assertThat(condition(decision, "Progressing").reason()).isEqualTo("Deployed");
    assertThat(condition(decision, "DriverAgentReady").message())
        .isEqualTo("2 of 2 pods are ready");
    assertThat(decision.absent())
        .containsExactlyInAnyOrder(
            "Degraded", "DevicePluginReady", "RetryHandlerReady", "MetricsExporterReady", "Valid");
    assertThat(decision.status().ready()).isEqualTo(2);
    assertThat(decision.status().driverVersion()).isEqualTo("2.0.0");
    assertThat(decision.status().retryHandlerMode()).isEqualTo("daemonset");
  }

  @Test
  void beforeAnyNodeIsReadyItWaits() {
    DriverStatusDecision decision = decide(TestDrivers.node("a").build());
    assertThat(condition(decision, "Available").reason()).isEqualTo("WaitingForPods");
    assertThat(condition(decision, "Progressing").reason()).isEqualTo("Reconciling");
  }

  @Test
  void withoutNodesItIsNotAvailableAndSaysWhichLabelsAreMissing() {
    DriverStatusDecision decision =
        decide(TestDrivers.spec(TestDrivers.SEED), Optional.empty(), Optional.empty());
    assertThat(condition(decision, "Available"))
        .isEqualTo(
            new Said(
                "Available",
                false,
                "WaitingForPods",
                "no node has the labels of spec.nodeSelector"));
    assertThat(condition(decision, "Progressing"))
        .as("no node waits by itself")
        .isEqualTo(
            new Said(
                "Progressing",
                false,
                "Deployed",
                "everything is set up, and no node has the labels of spec.nodeSelector"));
  }

  @Test
  void nodesThatAreOutAreUpdatingAndTheVersionIsTheOldOne() {
    DriverStatusDecision decision =
        decide(
            SPEC,
            Optional.of(campaign(CampaignPhase.Running, false, "")),
            Optional.empty(),
            at("a", NEW),
            in(MaintenanceState.DRAINED, Map.of()));
    assertThat(condition(decision, "Progressing").reason()).isEqualTo("Updating");
    assertThat(decision.status().updating()).isEqualTo(1);
    assertThat(decision.status().driverVersion()).isEqualTo("1.0.0");
    assertThat(
            condition(
                    decide(
                        SPEC,
                        Optional.empty(),
                        Optional.empty(),
                        in(MaintenanceState.VALIDATING, Map.of(CxiNames.ROLLBACK_TO, "1"))),
                    "Progressing")
                .reason())
        .isEqualTo("RollingBack");
  }

  @Test
  void failedNodesDegradeWithTheirReasons() {
    DriverStatusDecision failed =
        decide(in(MaintenanceState.INCOMPLETE, Map.of(CxiNames.FAILURE, "step build: no")));
    assertThat(condition(failed, "Degraded"))
        .isEqualTo(
            new Said("Degraded", true, "NodesFailed", "1 nodes failed: out: step build: no"));
    assertThat(condition(failed, "Available").reason()).isEqualTo("NodesFailed");
    assertThat(failed.status().failed()).isEqualTo(1);
    assertThat(
            condition(
                    decide(
                        in(
                            MaintenanceState.INCOMPLETE,
                            Map.of(
                                CxiNames.FAILURE,
                                "link",
                                CxiNames.FAILURE_CAUSE,
                                "HealthCheckTimeout"))),
                    "Degraded")
                .reason())
        .isEqualTo("HealthCheckTimeout");
    assertThat(
            condition(
                    decide(
                        in(
                            MaintenanceState.INCOMPLETE,
                            Map.of(CxiNames.FAILURE, "HealthCheckTimeout in a text"))),
                    "Degraded")
                .reason())
        .as("the cause is decided once; texts are for people")
        .isEqualTo("NodesFailed");
  }

  @Test
  void aNodeThatSomebodyReturnedInTheMiddleHasFailed() {
    CxiNode returned =
        TestDrivers.node("a")
            .report(TestDrivers.report(State.Installed, "old", null))
            .cutShort(true)
            .build();
    assertThat(condition(decide(returned), "Degraded"))
        .isEqualTo(
            new Said(
                "Degraded",
                true,
                "NodesFailed",
                "1 nodes failed: a: it was uncordoned before its update was validated"));
    CxiNode updated =
        TestDrivers.node("a")
            .report(TestDrivers.report(State.Installed, NEW, null))
            .cutShort(true)
            .build();
    assertThat(decide(updated).absent()).contains("Degraded");
  }

  @Test
  void nodesThatStayAsTheyAreKeepNothingInProgress() {
    CxiNode skipped =
        TestDrivers.node("b")
            .label(CxiNames.SKIP_UPDATE, "true")
            .report(TestDrivers.report(State.Installed, "old", null))
            .build();
    DriverStatusDecision decision =
        decide(
            SPEC,
            Optional.of(campaign(CampaignPhase.Completed, false, "")),
            Optional.empty(),
            at("a", NEW),
            skipped);
    assertThat(condition(decision, "Progressing"))
        .isEqualTo(
            new Said(
                "Progressing",
                false,
                "Deployed",
                "1 nodes have another driver, as their label cxi.hpe.com/skip-update says"));
    assertThat(decision.status().driverVersion()).isEqualTo("2.0.0");

    EffectiveSpec onDelete = TestDrivers.updating("{\"type\": \"OnDelete\"}");
    DriverStatusDecision waiting =
        decide(onDelete, Optional.empty(), Optional.empty(), at("a", "old"), at("b", "old"));
    assertThat(condition(waiting, "Progressing").reason())
        .as("nothing happens until a user acts")
        .isEqualTo("Deployed");
    assertThat(condition(waiting, "Progressing").message())
        .isEqualTo(
            "2 nodes have another driver; with OnDelete a node is updated when you delete its"
                + " driver agent's pod");
    assertThat(condition(waiting, "Available").message()).isEqualTo("no node has driver 2.0.0 yet");
  }

  @Test
  void aRolloutThatWentBackDegradesUntilAllNodesHaveAnotherVersion() {
    Optional<Campaign> back = Optional.of(campaign(CampaignPhase.Stopped, true, "RolledBack"));
    DriverStatusDecision decision = decide(SPEC, back, Optional.empty(), at("a", "old"));
    assertThat(condition(decision, "Degraded"))
        .isEqualTo(new Said("Degraded", true, "RolledBack", "why"));
    assertThat(decision.status().rollout())
        .satisfies(rollout -> assertThat(String.valueOf(rollout)).contains("phase=RolledBack"));
    assertThat(decide(SPEC, back, Optional.empty(), at("a", NEW)).absent()).contains("Degraded");
  }

  @Test
  void pausedRolloutsAndRefusedComponentsSaySo() {
    EffectiveSpec paused = TestDrivers.updating("{\"paused\": true}");
    assertThat(
            condition(
                    decide(
                        paused,
                        Optional.of(campaign(CampaignPhase.Paused, false, "")),
                        Optional.empty(),
                        at("a", "old")),
                    "Progressing")
                .reason())
        .isEqualTo("RolloutPaused");
    assertThat(
            condition(
                    decide(
                        TestDrivers.updating("{\"type\": \"OnDelete\", \"paused\": true}"),
                        Optional.empty(),
                        Optional.empty(),
                        at("a", "old")),
                    "Progressing")
                .reason())
        .isEqualTo("RolloutPaused");
    DriverStatusDecision refused =
        decide(
            SPEC,
            Optional.empty(),
            Optional.of(new Failure(CxiComponent.DEVICE_PLUGIN, "forbidden")),
            at("a", NEW));
    assertThat(condition(refused, "Degraded").reason()).isEqualTo("DevicePluginFailed");
    assertThat(condition(refused, "DevicePluginReady"))
        .isEqualTo(new Said("DevicePluginReady", false, "Failed", "forbidden"));
  }

  @Test
  void valuesThatNobodyRefusedAreReplacedByCarefulOnesAndNamed() {
    EffectiveSpec wrong =
        TestDrivers.updating("{\"maxUnavailable\": \"many\", \"healthCheckTimeout\": \"soon\"}");
    assertThat(wrong.update().maxUnavailable()).isEqualTo("1");
    assertThat(
            condition(
                decide(wrong, Optional.empty(), Optional.empty(), at("a", wrong.revision())),
                "Valid"))
        .isEqualTo(
            new Said(
                "Valid",
                false,
                "InvalidUpdateStrategy",
                "spec.updateStrategy.maxUnavailable: \"many\" cannot be used, 1 is used instead;"
                    + " spec.updateStrategy.healthCheckTimeout: \"soon\" cannot be used, 5m is used"
                    + " instead"));
  }

  @Test
  void oneThatIsNotActiveNamesTheOther() {
    DriverStatusDecision ignored = DriverStatusDecision.ignored(4, "first");
    assertThat(condition(ignored, "Degraded").reason()).isEqualTo("AnotherCXIDriverActive");
    assertThat(condition(ignored, "Available").reason()).isEqualTo("Ignored");
    assertThat(condition(ignored, "Degraded").message()).contains("\"first\" is active");
  }

  @Test
  void theNodeShowsHowFarItIs() {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    Optional<String> rollout = Optional.of("r3");
    assertThat(UpdateProjection.changes(at("a", NEW), SPEC, Optional.empty(), now)).isEmpty();
    assertThat(UpdateProjection.changes(at("a", NEW), SPEC, rollout, now))
        .containsEntry(CxiNames.UPDATE_STATE, "done");
    assertThat(UpdateProjection.changes(at("a", "old"), SPEC, rollout, now))
        .containsEntry(CxiNames.UPDATE_STATE, "pending");
    Map<MaintenanceState, String> states =
        Map.of(
            MaintenanceState.SCHEDULED, "pending",
            MaintenanceState.STARTED, "draining",
            MaintenanceState.SLA_EXPIRED, "draining",
            MaintenanceState.DRAINED, "installing",
            MaintenanceState.VALIDATING, "verifying",
            MaintenanceState.INCOMPLETE, "failed");
    states.forEach(
        (state, text) ->
            assertThat(UpdateProjection.changes(in(state, Map.of()), SPEC, rollout, now))
                .containsEntry(CxiNames.UPDATE_STATE, text));
    assertThat(UpdateProjection.changes(in(MaintenanceState.STARTED, Map.of()), SPEC, rollout, now))
        .containsEntry(CxiNames.UPDATE_STARTED_AT, "2026-01-01T00:00:00Z");
    assertThat(
            UpdateProjection.changes(
                in(
                    MaintenanceState.VALIDATING,
                    Map.of(CxiNames.ROLLBACK_TO, "1", CxiNames.FAILURE, "why")),
                SPEC,
                rollout,
                now))
        .containsEntry(CxiNames.UPDATE_STATE, "rolling-back")
        .containsEntry(CxiNames.UPDATE_ERROR, "why");
    CxiNode reboot =
        TestDrivers.node("a")
            .report(TestDrivers.report(State.RebootRequired, "old", "m-uid"))
            .maintenance(TestDrivers.maintenance(MaintenanceState.DRAINED, Map.of()))
            .build();
    assertThat(UpdateProjection.changes(reboot, SPEC, rollout, now))
        .containsEntry(CxiNames.UPDATE_STATE, "reboot-required");
  }
}
