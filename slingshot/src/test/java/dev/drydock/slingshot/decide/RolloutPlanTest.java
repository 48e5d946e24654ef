package dev.drydock.slingshot.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport.State;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.slingshot.decide.RolloutPlan.Campaign;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RolloutPlanTest {
  private static final EffectiveSpec SPEC = TestDrivers.spec(TestDrivers.BUILT);
  private static final String NEW = SPEC.revision();
  private static final CxiNode OLD_NODE =
      TestDrivers.node("old").report(TestDrivers.report(State.Installed, "other", null)).build();
  private static final CxiNode NEW_NODE =
      TestDrivers.node("new").report(TestDrivers.report(State.Installed, NEW, null)).build();
  private static final CxiNode EMPTY_NODE = TestDrivers.node("empty").build();

  private static RolloutPlan plan(EffectiveSpec spec, List<CxiNode> nodes, Campaign... all) {
    return RolloutPlan.of(TestDrivers.DRIVER, spec, nodes, List.of(all), Optional.empty());
  }

  private static Campaign campaign(
      String name, long generation, String revision, CampaignPhase phase, boolean stopped) {
    return new Campaign(name, generation, revision, Optional.of(phase), stopped, "", "", false);
  }

  @Test
  void nodesWithAnotherDriverNeedACampaign() {
    assertThat(plan(SPEC, List.of(OLD_NODE, NEW_NODE)))
        .isEqualTo(new RolloutPlan(Optional.of("cxi-driver-rollout-3"), true, false, List.of()));
  }

  @Test
  void firstInstallsUpToDateNodesAndPreinstalledDriversNeedNone() {
    RolloutPlan none = new RolloutPlan(Optional.empty(), false, false, List.of());
    assertThat(plan(SPEC, List.of(NEW_NODE, EMPTY_NODE))).isEqualTo(none);
    assertThat(plan(TestDrivers.spec(TestDrivers.SEED), List.of(OLD_NODE))).isEqualTo(none);
  }

  @Test
  void theCampaignOfTheRevisionGoesOn() {
    assertThat(
            plan(
                SPEC,
                List.of(OLD_NODE),
                campaign("r2", 2, NEW, CampaignPhase.Running, false),
                campaign("r1", 1, "other", CampaignPhase.Stopped, true)))
        .isEqualTo(new RolloutPlan(Optional.of("r2"), false, false, List.of()));
  }

  @Test
  void anotherRevisionStopsWhatRuns() {
    assertThat(
            plan(SPEC, List.of(OLD_NODE), campaign("r2", 2, "other", CampaignPhase.Running, false)))
        .isEqualTo(
            new RolloutPlan(Optional.of("cxi-driver-rollout-3"), true, false, List.of("r2")));
  }

  @Test
  void backToAnEarlierRevisionIsANewCampaign() {
    assertThat(
            plan(
                SPEC,
                List.of(OLD_NODE),
                campaign("r1", 1, NEW, CampaignPhase.Stopped, true),
                campaign("r2", 2, "other", CampaignPhase.Running, false)))
        .isEqualTo(
            new RolloutPlan(Optional.of("cxi-driver-rollout-3"), true, false, List.of("r2")));
  }

  @Test
  void aStoppedOrHaltedRolloutStaysSoUntilTheSpecChanges() {
    for (Campaign over :
        List.of(
            campaign("r3", 3, NEW, CampaignPhase.Stopped, true),
            campaign("r3", 3, NEW, CampaignPhase.Halted, false))) {
      assertThat(plan(SPEC, List.of(OLD_NODE), over))
          .isEqualTo(new RolloutPlan(Optional.of("r3"), false, false, List.of()));
    }
    assertThat(plan(SPEC, List.of(OLD_NODE), campaign("r2", 2, NEW, CampaignPhase.Halted, false)))
        .isEqualTo(
            new RolloutPlan(Optional.of("cxi-driver-rollout-3"), true, false, List.of("r2")));
  }

  @Test
  void withOnDeleteThereIsOnlyAClass() {
    EffectiveSpec onDelete = TestDrivers.updating("{\"type\": \"OnDelete\"}");
    assertThat(
            plan(onDelete, List.of(OLD_NODE), campaign("r2", 2, NEW, CampaignPhase.Running, false)))
        .isEqualTo(new RolloutPlan(Optional.of("cxi-driver-rollout-3"), true, true, List.of("r2")));
    assertThat(plan(onDelete, List.of(NEW_NODE)).current()).isEmpty();
    assertThat(
            RolloutPlan.of(
                TestDrivers.DRIVER,
                onDelete,
                List.of(OLD_NODE),
                List.of(),
                Optional.of("cxi-driver-rollout-2")))
        .as("a class of the revision is used again")
        .isEqualTo(new RolloutPlan(Optional.of("cxi-driver-rollout-2"), false, true, List.of()));
  }

  @Test
  void nodesThatAreSkippedNeedNoCampaign() {
    CxiNode skipped =
        TestDrivers.node("old")
            .label(CxiNames.SKIP_UPDATE, "true")
            .report(TestDrivers.report(State.Installed, "other", null))
            .build();
    assertThat(plan(SPEC, List.of(skipped)).current()).isEmpty();
  }

  @Test
  void nodesBelongToTheRolloutUntilTheyHaveReturned() {
    RolloutPlan plan = new RolloutPlan(Optional.of("r3"), false, false, List.of());
    assertThat(plan.of(OLD_NODE, SPEC)).contains("r3");
    assertThat(plan.of(NEW_NODE, SPEC)).isEmpty();
    assertThat(plan.of(EMPTY_NODE, SPEC)).isEmpty();
    CxiNode done =
        TestDrivers.node("done")
            .label(CxiNames.ROLLOUT_LABEL, "r3")
            .report(TestDrivers.report(State.Installed, NEW, null))
            .build();
    assertThat(plan.of(done, SPEC)).as("stays counted").contains("r3");
    CxiNode out =
        TestDrivers.node("out")
            .label(CxiNames.ROLLOUT_LABEL, "r2")
            .report(TestDrivers.report(State.Installed, "other", null))
            .maintenance(TestDrivers.maintenance(MaintenanceState.DRAINED, Map.of()))
            .build();
    assertThat(plan.of(out, SPEC)).as("finishes what it began").contains("r2");
    CxiNode chosen =
        TestDrivers.node("chosen")
            .report(TestDrivers.report(State.Installed, "other", null))
            .maintenance(
                new CxiNode.Maintenance(
                    "m", "m-uid", "", MaintenanceState.SCHEDULED, false, Map.of()))
            .build();
    assertThat(plan.of(chosen, SPEC)).as("gets its driver without the campaign").isEmpty();
  }

  @Test
  void namesFitIntoLabels() {
    assertThat(RolloutObjects.name("cxi-driver", 12)).isEqualTo("cxi-driver-rollout-12");
    String longName = RolloutObjects.name("d".repeat(100), 12);
    assertThat(longName).hasSizeLessThanOrEqualTo(63).startsWith("dddd");
    assertThat(RolloutObjects.name("d".repeat(100), 13)).isNotEqualTo(longName);
  }

  @Test
  void theCampaignIsWhatTheStrategySays() {
    Map<String, Object> spec =
        Tree.child(
            new RolloutObjects(
                    TestDrivers.DRIVER,
                    TestDrivers.updating(
                        "{\"maxUnavailable\": \"4\", \"paused\": true, \"maxUnavailablePerSwitch\": 1}"),
                    "r3",
                    List.of(
                        TestDrivers.node("n")
                            .label("slingshot.hpe.com/cxi1-switch-id", "s")
                            .label("slingshot.hpe.com/device-count", "2")
                            .label("slingshot.hpe.com/made-up-switch-id", "s")
                            .build()))
                .campaign(),
            "spec");
    assertThat(spec)
        .hasToString(
            "{nodeSelector={matchLabels={cxi.hpe.com/driver=cxi-driver, cxi.hpe.com/rollout=r3},"
                + " matchExpressions=[{key=cxi.hpe.com/skip-update, operator=NotIn, values=[true]}]},"
                + " maintenanceClass=r3, namespace=slingshot-system,"
                + " budgets=[{key=cxi.hpe.com/driver, maxUnavailable=4},"
                + " {key=slingshot.hpe.com/cxi0-switch-id, maxUnavailable=1},"
                + " {key=slingshot.hpe.com/cxi1-switch-id, maxUnavailable=1}],"
                + " canary={nodes=1}, stopOnFailures=1, paused=true, order=soonest}");
    assertThat(
            Tree.text(
                Tree.children(
                        Tree.child(
                            new RolloutObjects(TestDrivers.DRIVER, SPEC, "r3", List.of())
                                .campaign(),
                            "spec"),
                        "budgets")
                    .getFirst(),
                "maxUnavailable"))
        .isEqualTo("10%");
  }

  @Test
  void theClassDrainsWhatUsesADeviceAndLeavesTheRestToItsClients() {
    assertThat(
            Tree.child(
                new RolloutObjects(TestDrivers.DRIVER, SPEC, "r3", List.of())
                    .maintenanceClass(List.of()),
                "spec"))
        .hasToString(
            "{drain={builtin={policy={requestsResource=hpe.com/cxi, force=true, ignoreDaemonSets=true, deleteEmptyDirData=true}}},"
                + " maintenance={outside={}}, validation={outside={}},"
                + " budgets=[{key=cxi.hpe.com/driver, maxUnavailable=10%}]}");
    EffectiveSpec whole =
        TestDrivers.updating(
            "{\"drain\": {\"scope\": \"Node\", \"deadlineSeconds\": 60, \"atDeadline\": \"Delete\"}}");
    assertThat(
            Tree.child(
                new RolloutObjects(TestDrivers.DRIVER, whole, "r3", List.of())
                    .maintenanceClass(List.of()),
                "spec"))
        .hasToString(
            "{drain={builtin={policy={force=true, ignoreDaemonSets=true, deleteEmptyDirData=true, deadlineSeconds=60, atDeadline=Delete}}},"
                + " maintenance={outside={}}, validation={outside={}},"
                + " budgets=[{key=cxi.hpe.com/driver, maxUnavailable=10%}]}");
  }

  @Test
  void theClassIsForTheOperatorsNamespaceAndKnowsItsCampaigns() {
    RolloutObjects objects = new RolloutObjects(TestDrivers.DRIVER, SPEC, "r3", List.of());
    Map<String, Object> bare =
        Tree.child(Tree.child(objects.maintenanceClass(List.of()), "metadata"), "annotations");
    assertThat(bare)
        .containsEntry("drydock.dev/allowed-namespaces", "slingshot-system")
        .doesNotContainKey(CxiNames.CAMPAIGNS);
    Map<String, Object> used =
        Tree.child(
            Tree.child(objects.maintenanceClass(List.of("u1", "u2")), "metadata"), "annotations");
    assertThat(used).containsEntry(CxiNames.CAMPAIGNS, "u1,u2");
    assertThat(used.get(CxiNames.HASH))
        .as("or it would not be written")
        .isNotEqualTo(bare.get(CxiNames.HASH));
  }

  @Test
  void aMaintenanceIsTheRolloutsByNamespaceAndByTheUidOfWhatMadeIt() {
    RolloutOwnership ours = new RolloutOwnership("system", "driver-uid", Set.of("campaign-uid"));
    assertThat(ours.includes(new RolloutOwnership.Origin("system", "campaign-uid", Set.of())))
        .isTrue();
    assertThat(ours.includes(new RolloutOwnership.Origin("system", "", Set.of("driver-uid"))))
        .isTrue();
    List.of(
            new RolloutOwnership.Origin("tenant", "campaign-uid", Set.of("driver-uid")),
            new RolloutOwnership.Origin("system", "", Set.of()),
            new RolloutOwnership.Origin("system", "other", Set.of("another")))
        .forEach(origin -> assertThat(ours.includes(origin)).as("%s", origin).isFalse());
  }

  @Test
  void aDeletedDriverWaitsForNodesThatAreOutAndForCampaignsThatMayStillTakeOne() {
    Campaign over = campaign("r1", 1, NEW, CampaignPhase.Stopped, true);
    Campaign open = new Campaign("r2", 2, NEW, Optional.empty(), true, "", "", true);
    CxiNode out =
        TestDrivers.node("out")
            .maintenance(TestDrivers.maintenance(MaintenanceState.STARTED, Map.of()))
            .build();

    assertThat(RolloutPlan.keeps(List.of(OLD_NODE), List.of(over))).isEmpty();
    assertThat(RolloutPlan.keeps(List.of(OLD_NODE), List.of(over, open)))
        .hasValue("waits until its campaigns have stopped: r2");
    assertThat(RolloutPlan.keeps(List.of(OLD_NODE, out), List.of(over, open)))
        .hasValue("waits until its nodes are back in service: out");
  }
}
