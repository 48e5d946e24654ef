package dev.drydock.slingshot.decide;

import static dev.drydock.slingshot.decide.TestDrivers.device;
import static dev.drydock.slingshot.decide.TestDrivers.maintenance;
import static dev.drydock.slingshot.decide.TestDrivers.node;
import static dev.drydock.slingshot.decide.TestDrivers.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDeviceStatus.HealthStatus;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.cxi.DriverReport.State;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.slingshot.decide.NodeRolloutStep.Verdict;
import dev.drydock.slingshot.decide.UpdateFailure.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeRolloutTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final EffectiveSpec SPEC = TestDrivers.spec(TestDrivers.BUILT);
  private static final String NEW = SPEC.revision();
  private static final String OLD = "old-revision";
  private static final NodeRolloutStep IDLE = new NodeRolloutStep.Wait(Optional.empty());
  private static final CxiNode.Agent REPLACED = new CxiNode.Agent("pod-2", NEW, "template", true);

  private static NodeRolloutStep next(
      EffectiveSpec spec, CxiNode node, Optional<NodeBaseline> baseline, boolean stopped) {
    return new NodeRollout(spec, "template", node, baseline, stopped, NOW).next();
  }

  private static NodeRolloutStep next(TestDrivers.NodeBuilder node, NodeBaseline baseline) {
    return next(SPEC, node.build(), Optional.of(baseline), false);
  }

  private static NodeBaseline before() {
    return new NodeBaseline(
        NEW, "2.0.0", "pod-1", Map.of("cxi0", true), Optional.empty(), Map.of());
  }

  private static NodeBaseline checked(Duration ago) {
    return new NodeBaseline(
        NEW,
        "2.0.0",
        "pod-1",
        Map.of("cxi0", true),
        Optional.of(NOW.minus(ago)),
        Map.of("cxi0", CounterGate.Counters.ZERO));
  }

  private static TestDrivers.NodeBuilder drained(Map<String, String> annotations) {
    return node("n1")
        .agent(REPLACED)
        .maintenance(maintenance(MaintenanceState.DRAINED, annotations));
  }

  private static TestDrivers.NodeBuilder validating(State state, Map<String, String> annotations) {
    return node("n1")
        .agent(REPLACED)
        .report(report(state, state == State.RolledBack ? OLD : NEW, "m-uid"))
        .maintenance(maintenance(MaintenanceState.VALIDATING, annotations));
  }

  private static Verdict failed(Cause cause, String message) {
    return new Verdict.Failed(new UpdateFailure(cause, message));
  }

  private static Cause cause(NodeRolloutStep.Answer answer) {
    return ((Verdict.Failed) answer.verdict()).failure().cause();
  }

  private static DriverReport failure() {
    return new DriverReport(
        State.Failed,
        OLD,
        "1.0.0",
        NEW,
        "m-uid",
        List.of(),
        "build",
        "exit code 10",
        List.of("line 1", "line 2"),
        null);
  }

  @ParameterizedTest
  @EnumSource(
      value = MaintenanceState.class,
      names = {"DRAINED", "VALIDATING"})
  void aNodeThatLeftItsDriverDuringTheUpdateIsNotDeclaredFit(MaintenanceState state) {
    EffectiveSpec selecting =
        TestDrivers.spec(
            """
            {"version": "2.0.0", "source": {"type": "dkms", "dkms": {"tag": "release/shs-2.0.0"}},
             "nodeSelector": {"cxi": "yes"}}
            """);
    TestDrivers.NodeBuilder left = node("n1").maintenance(maintenance(state, Map.of()));

    assertThat(next(selecting, left.agent(null).build(), Optional.of(before()), false))
        .isInstanceOfSatisfying(
            NodeRolloutStep.Answer.class,
            answer -> {
              assertThat(cause(answer)).isEqualTo(Cause.NodeLeft);
              assertThat(answer.verdict().message()).contains("left the nodeSelector");
            });
    assertThat(
            next(selecting, left.agent(REPLACED).build(), Optional.of(before()), false).toString())
        .as("its agent is still there")
        .doesNotContain("left the nodeSelector");
  }

  // outside a maintenance

  @Test
  void aNodeWithoutADriverGetsItAtOnce() {
    assertThat(next(SPEC, node("n1").build(), Optional.empty(), false))
        .isEqualTo(new NodeRolloutStep.ReplaceAgent("pod-1"));
    assertThat(next(SPEC, node("n1").agent(REPLACED).build(), Optional.empty(), false))
        .isEqualTo(IDLE);
    assertThat(next(SPEC, node("n1").agent(null).build(), Optional.empty(), false)).isEqualTo(IDLE);
  }

  @Test
  void anAgentWhoseDriverStaysIsReplacedWhenOutdated() {
    CxiNode node = node("n1").report(report(State.Installed, NEW, null)).build();
    assertThat(next(SPEC, node, Optional.empty(), false))
        .isEqualTo(new NodeRolloutStep.ReplaceAgent("pod-1"));
    CxiNode preinstalled = node("n1").report(report(State.Installed, OLD, null)).build();
    assertThat(next(TestDrivers.spec(TestDrivers.SEED), preinstalled, Optional.empty(), false))
        .isEqualTo(new NodeRolloutStep.ReplaceAgent("pod-1"));
  }

  @Test
  void aNodeWithAnotherDriverWaitsForItsMaintenance() {
    CxiNode node = node("n1").report(report(State.Installed, OLD, null)).build();
    assertThat(next(SPEC, node, Optional.empty(), false)).isEqualTo(IDLE);
  }

  @Test
  void withOnDeleteAUserChoosesTheNodeByDeletingItsAgent() {
    EffectiveSpec onDelete = TestDrivers.updating("{\"type\": \"OnDelete\"}");
    TestDrivers.NodeBuilder node = node("n1").report(report(State.Installed, OLD, null));
    assertThat(next(onDelete, node.build(), Optional.empty(), false)).isEqualTo(IDLE);
    assertThat(next(onDelete, node.agent(REPLACED).build(), Optional.empty(), false))
        .isEqualTo(new NodeRolloutStep.CreateMaintenance());
    assertThat(
            next(
                onDelete,
                node.label(CxiNames.SKIP_UPDATE, "true").build(),
                Optional.empty(),
                false))
        .isEqualTo(IDLE);
    assertThat(
            next(
                TestDrivers.updating("{\"type\": \"OnDelete\", \"paused\": true}"),
                node("n1").agent(REPLACED).report(report(State.Installed, OLD, null)).build(),
                Optional.empty(),
                false))
        .as("paused")
        .isEqualTo(IDLE);
    for (State failed : List.of(State.RolledBack, State.Failed, State.RollbackFailed)) {
      DriverReport said =
          new DriverReport(failed, OLD, "1", NEW, "gone", List.of(), null, null, null, null);
      assertThat(
              next(
                  onDelete,
                  node("n1").agent(REPLACED).report(said).build(),
                  Optional.empty(),
                  false))
          .as("what failed is not tried again")
          .isEqualTo(IDLE);
    }
    assertThat(
            next(
                onDelete,
                node("n1")
                    .agent(REPLACED)
                    .report(report(State.Installed, OLD, null))
                    .cutShort(true)
                    .build(),
                Optional.empty(),
                false))
        .as("somebody uncordoned it: it does not leave again")
        .isEqualTo(IDLE);
  }

  // states that belong to others

  @ParameterizedTest
  @EnumSource(
      value = MaintenanceState.class,
      names = {"DRAINED", "VALIDATING"},
      mode = EnumSource.Mode.EXCLUDE)
  void untilTheNodeIsDrainedAndAfterItFailedNothingIsDone(MaintenanceState state) {
    CxiNode node =
        node("n1")
            .report(report(State.Installed, OLD, null))
            .maintenance(maintenance(state, Map.of()))
            .build();
    assertThat(next(SPEC, node, Optional.empty(), false)).isEqualTo(IDLE);
  }

  // drained

  @Test
  void aDrainedNodeIsRememberedBeforeItsAgentIsReplaced() {
    CxiNode node =
        node("n1")
            .devices(Map.of("cxi0", device(true), "cxi1", device(false)))
            .maintenance(maintenance(MaintenanceState.DRAINED, Map.of()))
            .build();
    assertThat(next(SPEC, node, Optional.empty(), false))
        .isEqualTo(
            new NodeRolloutStep.BeginWork(
                new NodeBaseline(
                    NEW,
                    "2.0.0",
                    "pod-1",
                    Map.of("cxi0", true, "cxi1", false),
                    Optional.empty(),
                    Map.of())));
    assertThat(next(SPEC, node, Optional.of(before()), false))
        .isEqualTo(new NodeRolloutStep.ReplaceAgent("pod-1"));
  }

  @Test
  void anAgentThatInstallsTheWantedDriverAlreadyIsNotReplaced() {
    NodeRolloutStep step =
        next(
            SPEC,
            drained(Map.of()).report(report(State.Installed, OLD, null)).build(),
            Optional.empty(),
            false);
    assertThat(step)
        .isInstanceOfSatisfying(
            NodeRolloutStep.BeginWork.class,
            begun -> {
              assertThat(begun.baseline().agent()).isEmpty();
              assertThat(next(drained(Map.of()), begun.baseline())).isEqualTo(IDLE);
            });
  }

  @Test
  void nothingIsDoneToANodeThatSomebodyReturned() {
    CxiNode node =
        node("n1")
            .cordoned(false)
            .maintenance(maintenance(MaintenanceState.DRAINED, Map.of()))
            .build();
    assertThat(next(SPEC, node, Optional.empty(), false)).isEqualTo(IDLE);
    assertThat(next(SPEC, node, Optional.of(before()), false)).isEqualTo(IDLE);
  }

  @Test
  void whatIsRememberedCanBeReadAgain() {
    NodeBaseline baseline =
        new NodeBaseline(
            NEW,
            "2.0.0",
            "pod-1",
            Map.of("cxi0", true, "cxi1", false),
            Optional.of(NOW),
            Map.of("cxi0", new CounterGate.Counters(1, 2, 3)));
    assertThat(NodeBaseline.read(baseline.tree())).isEqualTo(baseline);
    assertThat(NodeBaseline.read(before().tree())).isEqualTo(before());
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"Installed", "Installing", "RebootRequired", "RollingBack"})
  void whileTheAgentWorksItIsWaitedFor(State state) {
    assertThat(next(drained(Map.of()).report(report(state, OLD, "m-uid")), before()))
        .isEqualTo(IDLE);
  }

  @Test
  void aReportAboutAnotherMaintenanceDoesNotCount() {
    DriverReport other =
        new DriverReport(
            State.Failed, OLD, "1", NEW, "other", List.of(), "build", "e", List.of(), null);
    assertThat(next(drained(Map.of()).report(other), before())).isEqualTo(IDLE);
    assertThat(next(drained(Map.of()), before())).isEqualTo(IDLE);
  }

  @Test
  void aFailedInstallIsRolledBackWithStepAndLog() {
    assertThat(next(drained(Map.of()).report(failure()), before()))
        .isEqualTo(
            new NodeRolloutStep.RollBack(
                "1.0.0",
                new UpdateFailure(
                    Cause.InstallFailed, "step build: exit code 10; last lines: line 1 | line 2")));
    assertThat(next(drained(Map.of(CxiNames.ROLLBACK_TO, "1.0.0")).report(failure()), before()))
        .as("asked once")
        .isEqualTo(IDLE);
  }

  @Test
  void withoutRollbackOrPreviousVersionTheNodeStaysOut() {
    String reason = "step build: exit code 10; last lines: line 1 | line 2";
    EffectiveSpec off = TestDrivers.updating("{\"rollbackOnFailure\": false}");
    assertThat(next(off, drained(Map.of()).report(failure()).build(), Optional.of(before()), false))
        .isEqualTo(
            new NodeRolloutStep.Answer(
                "maintenance/maintenanceClient",
                "incomplete",
                failed(Cause.InstallFailed, reason)));
    assertThat(
            next(
                drained(Map.of()).annotation(CxiNames.PREVIOUS_VERSION, null).report(failure()),
                before()))
        .isEqualTo(
            new NodeRolloutStep.Answer(
                "maintenance/maintenanceClient",
                "incomplete",
                failed(
                    Cause.InstallFailed, reason + "; there is no previous version to go back to")));
  }

  @Test
  void theRolloutIsStoppedBeforeARolledBackNodeIsDeclaredComplete() {
    TestDrivers.NodeBuilder node =
        drained(Map.of(CxiNames.ROLLBACK_TO, "1.0.0", CxiNames.FAILURE, "why"))
            .report(report(State.RolledBack, OLD, "m-uid"));
    String reason = "node n1 went back from 2.0.0 to v-of-old-revision: why";
    assertThat(next(SPEC, node.build(), Optional.of(before()), false))
        .isEqualTo(new NodeRolloutStep.StopRollout(reason));
    assertThat(next(SPEC, node.build(), Optional.of(before()), true))
        .isEqualTo(
            new NodeRolloutStep.Answer(
                "maintenance/maintenanceClient", "complete", new Verdict.RolledBack(reason)));
  }

  @Test
  void aFailedRollbackKeepsTheNodeOut() {
    DriverReport worse =
        new DriverReport(
            State.RollbackFailed, null, null, NEW, "m-uid", null, "load", "e", null, null);
    assertThat(next(drained(Map.of(CxiNames.ROLLBACK_TO, "1.0.0")).report(worse), before()))
        .isEqualTo(
            new NodeRolloutStep.Answer(
                "maintenance/maintenanceClient",
                "incomplete",
                failed(Cause.RollbackFailed, "rolling back failed, too: step load: e")));
  }

  @Test
  void whatWasAnsweredIsNotAnsweredAgain() {
    assertThat(
            next(
                drained(Map.of("maintenance/maintenanceClient", "complete")).report(failure()),
                before()))
        .isEqualTo(IDLE);
    assertThat(
            next(
                validating(State.Installed, Map.of("maintenance/validationClient", "validated")),
                checked(Duration.ZERO)))
        .isEqualTo(IDLE);
  }

  // validating

  @Test
  void theCheckBeginsWithTheCountersOfThen() {
    assertThat(next(validating(State.Installed, Map.of()), before()))
        .isEqualTo(
            new NodeRolloutStep.Remember(
                new NodeBaseline(
                    NEW,
                    "2.0.0",
                    "pod-1",
                    Map.of("cxi0", true),
                    Optional.of(NOW),
                    Map.of("cxi0", CounterGate.Counters.ZERO))));
  }

  @Test
  void aHealthyNodeIsValidated() {
    assertThat(next(validating(State.Installed, Map.of()), checked(Duration.ofSeconds(1))))
        .isEqualTo(
            new NodeRolloutStep.Answer(
                "maintenance/validationClient",
                "validated",
                new Verdict.Updated("driver v-of-" + NEW + " is installed and healthy")));
  }

  @Test
  void aNodeThatNobodyReportedAboutIsNotFit() {
    CxiNode node =
        node("n1").maintenance(maintenance(MaintenanceState.VALIDATING, Map.of())).build();
    assertThat(next(SPEC, node, Optional.of(before()), false))
        .isInstanceOfSatisfying(
            NodeRolloutStep.Answer.class,
            answer -> {
              assertThat(answer.value()).isEqualTo("failed");
              assertThat(cause(answer)).isEqualTo(Cause.NotReported);
            });
    assertThat(next(SPEC, validating(State.Installed, Map.of()).build(), Optional.empty(), false))
        .isInstanceOf(NodeRolloutStep.Answer.class);
  }

  /** Each on its own: the node is not healthy, and after the time it is rolled back. */
  @Test
  void everythingThatHealthNeedsIsChecked() {
    Map<String, TestDrivers.NodeBuilder> sick =
        Map.of(
            "the node is not ready",
            validating(State.Installed, Map.of()).ready(false),
            "module cxi_user is not loaded",
            validating(State.Installed, Map.of())
                .report(
                    new DriverReport(
                        State.Installed,
                        NEW,
                        "2",
                        null,
                        "m-uid",
                        List.of("cxi_ss1"),
                        null,
                        null,
                        null,
                        null)),
            "device cxi0 is gone",
            validating(State.Installed, Map.of()).devices(Map.of()),
            "the link of cxi0 is down",
            validating(State.Installed, Map.of()).devices(Map.of("cxi0", device(false))),
            "device cxi0 is unhealthy: hot",
            validating(State.Installed, Map.of())
                .devices(
                    Map.of(
                        "cxi0",
                        new CxiNode.Device(
                            true, true, HealthStatus.Unhealthy, "hot", CounterGate.Counters.ZERO))),
            "no retry handler runs for cxi0",
            validating(State.Installed, Map.of())
                .devices(
                    Map.of(
                        "cxi0",
                        new CxiNode.Device(
                            true, false, HealthStatus.Healthy, "", CounterGate.Counters.ZERO))),
            "the device plugin offers no hpe.com/cxi",
            validating(State.Installed, Map.of()).allocatable(0));
    sick.forEach(
        (problem, node) -> {
          assertThat(next(node, checked(Duration.ofMinutes(4))))
              .as(problem)
              .isEqualTo(new NodeRolloutStep.Wait(Optional.of(NOW.plusSeconds(60))));
          assertThat(next(node, checked(Duration.ofMinutes(5))))
              .isEqualTo(
                  new NodeRolloutStep.RollBack(
                      "1.0.0",
                      new UpdateFailure(
                          Cause.HealthCheckTimeout,
                          "not healthy within healthCheckTimeout (PT5M): " + problem)));
        });
  }

  @Test
  void aLinkThatWasDownBeforeMayStayDown() {
    NodeBaseline down =
        new NodeBaseline(NEW, "2", "pod-1", Map.of("cxi0", false), Optional.of(NOW), Map.of());
    assertThat(
            next(
                validating(State.Installed, Map.of())
                    .devices(Map.of("cxi0", device(false)))
                    .allocatable(0),
                down))
        .isInstanceOf(NodeRolloutStep.Answer.class);
  }

  @Test
  void anotherRevisionThanTheWantedOneIsAFailure() {
    assertThat(
            next(
                validating(State.Installed, Map.of())
                    .report(report(State.Installed, "third", "m-uid")),
                checked(Duration.ZERO)))
        .isEqualTo(
            new NodeRolloutStep.RollBack(
                "1.0.0",
                new UpdateFailure(
                    Cause.WrongRevision, "its driver agent installed another revision")));
  }

  @Test
  void theGateNeedsASoakTimeWithoutErrors() {
    EffectiveSpec gated =
        TestDrivers.updating("{\"gate\": {\"soakSeconds\": 600, \"maxNacksPerMinute\": 10}}");
    assertThat(
            next(
                gated,
                validating(State.Installed, Map.of()).build(),
                Optional.of(checked(Duration.ofMinutes(9))),
                false))
        .isEqualTo(new NodeRolloutStep.Wait(Optional.of(NOW.plusSeconds(60))));
    assertThat(
            next(
                gated,
                validating(State.Installed, Map.of()).build(),
                Optional.of(checked(Duration.ofMinutes(10))),
                false))
        .isInstanceOf(NodeRolloutStep.Answer.class);
    CxiNode.Device flapping =
        new CxiNode.Device(
            true, true, HealthStatus.Healthy, "", new CounterGate.Counters(1, 2, 101));
    assertThat(
            next(
                gated,
                validating(State.Installed, Map.of()).devices(Map.of("cxi0", flapping)).build(),
                Optional.of(checked(Duration.ofMinutes(5))),
                false))
        .isEqualTo(
            new NodeRolloutStep.RollBack(
                "1.0.0",
                new UpdateFailure(
                    Cause.CountersExceeded,
                    "after the update cxi0: 1 link flaps, and 0 are allowed, cxi0: 2 uncorrectable PCIe errors, and 0 are allowed, cxi0: 21 NACKs per minute, and 10 are allowed")));
  }

  @Test
  void aRolledBackNodeIsValidatedWhenTheRolloutIsStoppedAndItIsFit() {
    TestDrivers.NodeBuilder node =
        validating(
            State.RolledBack, Map.of(CxiNames.ROLLBACK_TO, "1.0.0", CxiNames.FAILURE, "why"));
    assertThat(next(SPEC, node.build(), Optional.of(checked(Duration.ofMinutes(6))), false))
        .isInstanceOf(NodeRolloutStep.StopRollout.class);
    assertThat(next(SPEC, node.build(), Optional.of(checked(Duration.ofMinutes(6))), true))
        .isInstanceOfSatisfying(
            NodeRolloutStep.Answer.class,
            answer -> {
              assertThat(answer.value()).isEqualTo("validated");
              assertThat(answer.verdict()).isInstanceOf(Verdict.RolledBack.class);
            });
    CxiNode unfit = node.devices(Map.of("cxi0", device(false))).build();
    assertThat(next(SPEC, unfit, Optional.of(checked(Duration.ofMinutes(6))), true))
        .isEqualTo(new NodeRolloutStep.Wait(Optional.of(NOW.plus(Duration.ofMinutes(4)))));
    assertThat(next(SPEC, unfit, Optional.of(checked(Duration.ofMinutes(10))), true))
        .isEqualTo(
            new NodeRolloutStep.Answer(
                "maintenance/validationClient",
                "failed",
                failed(
                    Cause.RollbackFailed,
                    "not fit with its previous driver either: the link of cxi0 is down")));
  }

  @Test
  void whileARollbackIsAskedForTheNewDriverIsNotJudgedAgain() {
    assertThat(
            next(
                validating(State.Installed, Map.of(CxiNames.ROLLBACK_TO, "1.0.0")),
                checked(Duration.ofMinutes(9))))
        .isEqualTo(IDLE);
  }
}
