package dev.drydock.slingshot.driver.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.cxi.DriverReport.State;
import dev.drydock.slingshot.driver.decide.ModuleUsers.DeviceProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AgentDecisionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration POLL = Duration.ofSeconds(30);
  private static final String KERNEL = "6.1.0-55-amd64";
  private static final String UID = "m-1";
  private static final DriverTarget OLD = target("old", "1.0.0", SourceType.dkms);
  private static final DriverTarget NEW = target("new", "2.0.0", SourceType.dkms);
  private static final List<String> LOADED = List.of("cxi_ss1", "cxi_user", "cxi_eth");
  private static final ModuleUsers POD =
      new ModuleUsers(
          List.of(new DeviceProcess(7, "mpi", "cxi0", "hpc/job-1")),
          List.of(),
          "",
          List.of(),
          List.of());
  private static final ModuleUsers HANDLER =
      new ModuleUsers(List.of(), List.of(), "", List.of(9L), List.of());

  private static DriverTarget target(String revision, String version, SourceType type) {
    return new DriverTarget(
        revision, version, type, "https://h/a.zip", null, null, Platform.cassini, Map.of());
  }

  private static DriverReport report(
      State state, DriverTarget installed, @Nullable String wanted, @Nullable String uid) {
    return new DriverReport(
        state,
        installed.revision(),
        installed.version(),
        wanted,
        uid,
        LOADED,
        null,
        null,
        null,
        null);
  }

  private static AgentMaintenance drained() {
    return new AgentMaintenance(UID, false, false, Optional.empty(), false);
  }

  private static AgentMaintenance rollback(boolean validating) {
    return new AgentMaintenance(UID, validating, false, Optional.of("1.0.0"), validating);
  }

  private static DriverWork.Ended ended(
      DriverTask.Kind kind, DriverTarget target, DriverWork.@Nullable Failure failure) {
    return new DriverWork.Ended(
        new DriverTask(kind, target.revision(), KERNEL),
        Optional.ofNullable(failure),
        failure == null ? 0 : 1,
        NOW);
  }

  private static DriverWork files(DriverTarget target) {
    return new DriverWork(
        Optional.empty(),
        "",
        Optional.of(ended(DriverTask.Kind.FILES, target, null)),
        Optional.empty());
  }

  private static DriverWork failed(DriverTarget target) {
    return new DriverWork(
        Optional.empty(),
        "",
        Optional.of(ended(DriverTask.Kind.FILES, target, BUILD_FAILED)),
        Optional.empty());
  }

  private static final DriverWork.Failure BUILD_FAILED =
      new DriverWork.Failure(
          FailureReason.BuildFailed, "build", "make failed", List.of("error: 1", "error: 2"));

  /** An agent with the new driver on a node with the old one. */
  private static final class View {
    private DriverTarget wanted = NEW;
    private DriverRecords records = new DriverRecords(OLD, null);
    private Optional<DriverReport> report = Optional.of(report(State.Installed, OLD, null, null));
    private Optional<AgentMaintenance> maintenance = Optional.of(drained());
    private DriverWork work = DriverWork.NONE;
    private ModuleState modules = ModuleState.OUTDATED;
    private ModuleUsers users = ModuleUsers.NONE;
    private Optional<Instant> stopping = Optional.empty();

    AgentDecision decision() {
      return new AgentDecision(
          wanted,
          records,
          report,
          maintenance,
          KERNEL,
          work,
          LOADED,
          modules,
          users,
          stopping,
          POLL,
          NOW);
    }

    AgentStep next() {
      return decision().next();
    }

    /** What was reported is on the node from now on. */
    DriverReport said() {
      AgentStep step = next();
      assertThat(step).isInstanceOf(AgentStep.Report.class);
      DriverReport said = ((AgentStep.Report) step).report();
      report = Optional.of(said);
      return said;
    }
  }

  /** Its Node was created anew, or somebody removed its annotations: pods may use the driver. */
  @Test
  void aNodeWhoseReportIsLostKeepsItsDriver() {
    View view = new View();
    view.report = Optional.empty();
    view.maintenance = Optional.empty();
    view.work = files(OLD);

    DriverReport said = view.said();

    assertThat(said.state()).isEqualTo(State.Installed);
    assertThat(said.revision()).isEqualTo(OLD.revision());
    assertThat(view.next()).isInstanceOf(AgentStep.Wait.class);
  }

  @Test
  void aNodeWithoutADriverGetsItAtOnce() {
    View view = new View();
    view.report = Optional.empty();
    view.records = DriverRecords.NONE;
    view.maintenance = Optional.empty();
    view.modules = ModuleState.ABSENT;

    assertThat(view.said().state()).isEqualTo(State.Installing);
    assertThat(view.next())
        .isEqualTo(new AgentStep.Start(new DriverTask(DriverTask.Kind.FILES, "new", KERNEL), NEW));
    view.work = files(NEW);
    assertThat(view.next())
        .isEqualTo(new AgentStep.Start(new DriverTask(DriverTask.Kind.LOAD, "new", KERNEL), NEW));
    view.modules = ModuleState.CURRENT;
    DriverReport done = view.said();
    assertThat(done.state()).isEqualTo(State.Installed);
    assertThat(done.revision()).isEqualTo("new");
    assertThat(view.next()).isEqualTo(new AgentStep.Wait("nothing", Optional.empty()));
  }

  @Test
  void anotherDriverWaitsForTheMaintenance() {
    View view = new View();
    view.maintenance = Optional.empty();
    view.work = files(OLD);
    view.modules = ModuleState.CURRENT;
    assertThat(view.decision().goal()).isEqualTo(new DriverGoal.Keep(OLD));
    assertThat(view.next()).isInstanceOf(AgentStep.Wait.class);
  }

  @Test
  void anAgentThatIsAboutToBeReplacedInstallsNothing() {
    View view = new View();
    view.maintenance = Optional.of(new AgentMaintenance(UID, false, true, Optional.empty(), false));
    assertThat(view.decision().goal()).isEqualTo(new DriverGoal.Keep(OLD));
    view.report = Optional.empty();
    assertThat(view.decision().goal()).isInstanceOf(DriverGoal.Leave.class);
  }

  @Test
  void anUpdateSaysWhatItReplacesAndDeclaresTheMaintenanceDone() {
    View view = new View();
    AgentStep.Report begun = (AgentStep.Report) view.next();
    assertThat(begun.previousVersion()).contains("1.0.0");
    assertThat(begun.report().revision()).isEqualTo("old");
    assertThat(begun.report().wanted()).isEqualTo("new");
    assertThat(begun.report().maintenance()).isEqualTo(UID);
    view.report = Optional.of(begun.report());
    view.work =
        new DriverWork(
            Optional.of(new DriverTask(DriverTask.Kind.FILES, "new", KERNEL)),
            "build",
            Optional.empty(),
            Optional.empty());
    assertThat(view.said().step()).isEqualTo("build");
    assertThat(view.next()).isEqualTo(new AgentStep.Wait("build", Optional.empty()));

    view.work = files(NEW);
    assertThat(view.next())
        .isEqualTo(new AgentStep.Start(new DriverTask(DriverTask.Kind.RELOAD, "new", KERNEL), NEW));
    view.modules = ModuleState.CURRENT;
    view.stopping = Optional.of(NOW);
    assertThat(view.next()).isEqualTo(new AgentStep.ResumeHandlers());
    view.stopping = Optional.empty();
    assertThat(view.said().state()).isEqualTo(State.Installed);
    assertThat(view.next()).isEqualTo(new AgentStep.Complete(UID));
  }

  @Test
  void aPodInTheWayIsNamedAndNothingIsUnloaded() {
    View view = new View();
    view.work = files(NEW);
    view.users = POD;
    DriverReport said = view.said();
    assertThat(said.state()).isEqualTo(State.RebootRequired);
    assertThat(said.error()).isEqualTo("pod hpc/job-1 has /dev/cxi0 open (process 7, mpi)");
    assertThat(view.next())
        .isEqualTo(new AgentStep.Wait(String.valueOf(said.error()), Optional.of(NOW.plus(POLL))));
    view.users = ModuleUsers.NONE;
    assertThat(view.next()).isInstanceOf(AgentStep.Start.class);
  }

  @Test
  void retryHandlersAreAskedToStopAndStoppedIfTheyDoNot() {
    View view = new View();
    view.work = files(NEW);
    view.users = HANDLER;
    assertThat(view.next()).isInstanceOf(AgentStep.StopHandlers.class);
    view.stopping = Optional.of(NOW);
    assertThat(view.next())
        .isEqualTo(
            new AgentStep.Wait(
                "retry handlers stop", Optional.of(NOW.plus(AgentDecision.HANDLERS_STOP))));
    view.stopping = Optional.of(NOW.minus(AgentDecision.HANDLERS_STOP));
    assertThat(view.next()).isEqualTo(new AgentStep.TerminateHandlers(List.of(9L)));
  }

  @Test
  void modulesThatTheKernelDoesNotLetGoNeedAReboot() {
    View view = new View();
    DriverWork.Failure busy =
        new DriverWork.Failure(FailureReason.Busy, "unload cxi_user", "in use", List.of());
    view.work =
        new DriverWork(
            Optional.empty(),
            "",
            Optional.of(ended(DriverTask.Kind.FILES, NEW, null)),
            Optional.of(ended(DriverTask.Kind.RELOAD, NEW, busy)));
    assertThat(view.said().state()).isEqualTo(State.RebootRequired);
    // the node booted
    view.work = files(NEW);
    view.modules = ModuleState.CURRENT;
    assertThat(view.said().state()).isEqualTo(State.Installed);
    assertThat(view.next()).isEqualTo(new AgentStep.Complete(UID));
  }

  @Test
  void aFailedUpdateIsTheOperatorsToDecide() {
    View view = new View();
    view.work = failed(NEW);
    DriverReport said = view.said();
    assertThat(said.state()).isEqualTo(State.Failed);
    assertThat(said.revision()).isEqualTo("old");
    assertThat(said.step()).isEqualTo("build");
    assertThat(said.error()).isEqualTo("BuildFailed: make failed");
    assertThat(said.log()).containsExactly("error: 1", "error: 2");
    assertThat(view.next()).isInstanceOf(AgentStep.Wait.class);
    view.work = DriverWork.NONE; // the agent started again
    assertThat(view.next()).isInstanceOf(AgentStep.Wait.class);
  }

  @Test
  void theFirstInstallIsTriedAgainAfterAWhile() {
    View view = new View();
    view.report = Optional.empty();
    view.records = DriverRecords.NONE;
    view.maintenance = Optional.empty();
    view.work = failed(NEW);
    assertThat(view.said().state()).isEqualTo(State.Failed);
    assertThat(view.next())
        .isEqualTo(
            new AgentStep.Wait("BuildFailed: make failed", Optional.of(NOW.plusSeconds(10))));
    view.work =
        new DriverWork(
            Optional.empty(),
            "",
            Optional.of(
                new DriverWork.Ended(
                    new DriverTask(DriverTask.Kind.FILES, "new", KERNEL),
                    Optional.of(BUILD_FAILED),
                    1,
                    NOW.minusSeconds(10))),
            Optional.empty());
    assertThat(view.next()).isInstanceOf(AgentStep.Start.class);
  }

  @ParameterizedTest
  @EnumSource(ModuleState.class)
  void aRollbackGoesBackToWhatTheAgentRecorded(ModuleState modules) {
    View view = new View();
    view.records = new DriverRecords(NEW, OLD);
    view.report = Optional.of(report(State.Installed, NEW, null, UID));
    view.maintenance = Optional.of(rollback(true));
    assertThat(view.decision().goal()).isEqualTo(new DriverGoal.RollBack(OLD, UID));
    assertThat(view.said().state()).isEqualTo(State.RollingBack);
    view.work = files(OLD);
    view.modules = modules;
    switch (modules) {
      case CURRENT -> {
        DriverReport said = view.said();
        assertThat(said.state()).isEqualTo(State.RolledBack);
        assertThat(said.revision()).isEqualTo("old");
        assertThat(said.wanted()).isEqualTo("new");
        // it says so until the node gets another driver
        view.maintenance = Optional.empty();
        view.records = new DriverRecords(OLD, NEW);
        assertThat(view.decision().goal()).isEqualTo(new DriverGoal.Keep(OLD));
        assertThat(view.next()).isInstanceOf(AgentStep.Wait.class);
      }
      case ABSENT, OUTDATED, UNKNOWN -> assertThat(view.next()).isInstanceOf(AgentStep.Start.class);
    }
  }

  @Test
  void aRollbackToAnUnknownVersionFails() {
    View view = new View();
    view.records = DriverRecords.NONE;
    view.maintenance = Optional.of(rollback(false));
    assertThat(view.said().state()).isEqualTo(State.RollbackFailed);
    assertThat(view.next()).isInstanceOf(AgentStep.Wait.class);
  }

  @Test
  void theSameVersionFromAnotherSourceIsAWayBack() {
    DriverTarget other = target("other", "2.0.0", SourceType.prebuilt);
    assertThat(new DriverRecords(NEW, other).ofVersion("2.0.0", "new")).contains(other);
    assertThat(new DriverRecords(NEW, null).ofVersion("2.0.0", "new")).isEmpty();
    assertThat(new DriverRecords(NEW, OLD).with(NEW)).isEqualTo(new DriverRecords(NEW, OLD));
    assertThat(new DriverRecords(OLD, null).with(NEW)).isEqualTo(new DriverRecords(NEW, OLD));
  }

  @Test
  void aPreinstalledDriverIsNeverReplaced() {
    View view = new View();
    view.wanted = target("host", "1.8.3", SourceType.preinstalled);
    view.maintenance = Optional.empty();
    view.work = files(view.wanted);
    view.modules = ModuleState.UNKNOWN;
    assertThat(view.said().state()).isEqualTo(State.Installed);
    view.modules = ModuleState.ABSENT;
    view.report = Optional.empty();
    assertThat(view.next())
        .isEqualTo(
            new AgentStep.Start(new DriverTask(DriverTask.Kind.LOAD, "host", KERNEL), view.wanted));
  }

  @Test
  void anotherKernelGetsTheDriverThatIsInstalled() {
    View view = new View();
    view.maintenance = Optional.empty();
    view.work =
        new DriverWork(
            Optional.empty(),
            "",
            Optional.of(
                new DriverWork.Ended(
                    new DriverTask(DriverTask.Kind.FILES, "old", "6.1.0-54-amd64"),
                    Optional.empty(),
                    0,
                    NOW)),
            Optional.empty());
    assertThat(view.next())
        .isEqualTo(new AgentStep.Start(new DriverTask(DriverTask.Kind.FILES, "old", KERNEL), OLD));
  }

  /** Every combination of what may be seen. */
  private static List<AgentDecision> all() {
    List<Optional<DriverReport>> reports = new ArrayList<>(List.of(Optional.empty()));
    for (State state : State.values()) {
      for (DriverTarget installed : List.of(OLD, NEW)) {
        for (String uid : new String[] {"", UID}) {
          reports.add(
              Optional.of(
                  report(
                      state,
                      installed,
                      installed.equals(NEW) ? null : "new",
                      uid.isEmpty() ? null : uid)));
        }
      }
    }
    List<Optional<AgentMaintenance>> maintenances = new ArrayList<>(List.of(Optional.empty()));
    for (boolean validating : new boolean[] {false, true}) {
      for (boolean replaces : new boolean[] {false, true}) {
        for (boolean back : new boolean[] {false, true}) {
          for (boolean complete : new boolean[] {false, true}) {
            maintenances.add(
                Optional.of(
                    new AgentMaintenance(
                        UID,
                        validating,
                        replaces,
                        back ? Optional.of("1.0.0") : Optional.empty(),
                        complete)));
          }
        }
      }
    }
    DriverWork.Failure busy =
        new DriverWork.Failure(FailureReason.Busy, "unload", "in use", List.of());
    List<DriverWork> works = new ArrayList<>();
    works.add(DriverWork.NONE);
    for (DriverTarget target : List.of(OLD, NEW)) {
      works.add(files(target));
      works.add(failed(target));
      works.add(
          new DriverWork(
              Optional.empty(),
              "",
              Optional.of(ended(DriverTask.Kind.FILES, target, null)),
              Optional.of(ended(DriverTask.Kind.RELOAD, target, busy))));
      works.add(
          new DriverWork(
              Optional.of(new DriverTask(DriverTask.Kind.FILES, target.revision(), KERNEL)),
              "build",
              Optional.empty(),
              Optional.empty()));
    }
    List<AgentDecision> all = new ArrayList<>();
    for (DriverRecords records :
        List.of(
            DriverRecords.NONE,
            new DriverRecords(OLD, null),
            new DriverRecords(NEW, OLD),
            new DriverRecords(OLD, NEW))) {
      for (Optional<DriverReport> report : reports) {
        for (Optional<AgentMaintenance> maintenance : maintenances) {
          for (DriverWork work : works) {
            for (ModuleState modules : ModuleState.values()) {
              for (ModuleUsers users : List.of(ModuleUsers.NONE, POD, HANDLER)) {
                for (Optional<Instant> stopping :
                    List.of(Optional.<Instant>empty(), Optional.of(NOW))) {
                  all.add(
                      new AgentDecision(
                          NEW,
                          records,
                          report,
                          maintenance,
                          KERNEL,
                          work,
                          LOADED,
                          modules,
                          users,
                          stopping,
                          POLL,
                          NOW));
                }
              }
            }
          }
        }
      }
    }
    return all;
  }

  @Test
  void whateverIsSeenNobodyIsCutOffAndNothingUnknownIsDone() {
    Set<Class<?>> taken = new HashSet<>();
    for (AgentDecision each : all()) {
      AgentStep step = each.next();
      taken.add(step.getClass());
      Supplier<String> why = each::toString;
      switch (step) {
        case AgentStep.Start(DriverTask task, DriverTarget target) -> {
          assertThat(each.work().running()).as(why).isEmpty();
          assertThat(task.revision()).as(why).isEqualTo(target.revision());
          if (task.kind() == DriverTask.Kind.RELOAD) {
            assertThat(each.users()).as(why).isEqualTo(ModuleUsers.NONE);
            assertThat(each.goal()).as(why).isNotInstanceOf(DriverGoal.Keep.class);
            assertDrainedUnlessFirst(each, why);
          }
          boolean replacesFiles =
              task.kind() == DriverTask.Kind.FILES && !(each.goal() instanceof DriverGoal.Keep);
          if (replacesFiles) {
            assertDrainedUnlessFirst(each, why);
          }
        }
        case AgentStep.Complete(String uid) -> {
          assertThat(uid).as(why).isEqualTo(UID);
          assertThat(each.modules()).as(why).isEqualTo(ModuleState.CURRENT);
          assertThat(each.report().orElseThrow().state()).as(why).isEqualTo(State.Installed);
          assertThat(each.report().orElseThrow().maintenance()).as(why).isEqualTo(UID);
          assertThat(each.report().orElseThrow().revision()).as(why).isEqualTo("new");
        }
        case AgentStep.Report(DriverReport said, Optional<String> _) -> {
          boolean done = said.state() == State.Installed || said.state() == State.RolledBack;
          if (done) {
            assertThat(each.modules()).as(why).isNotEqualTo(ModuleState.ABSENT);
            assertThat(each.work().files()).as(why).isPresent();
            assertThat(each.work().files().get().failure()).as(why).isEmpty();
            assertThat(each.stopping()).as(why).isEmpty();
          }
          // the same is not said twice
          AgentStep again =
              new AgentDecision(
                      each.wanted(),
                      each.records(),
                      Optional.of(said),
                      each.maintenance(),
                      KERNEL,
                      each.work(),
                      LOADED,
                      each.modules(),
                      each.users(),
                      each.stopping(),
                      POLL,
                      NOW)
                  .next();
          assertThat(again).as(why).isNotEqualTo(step);
        }
        case AgentStep.Wait(String reason, Optional<Instant> _) ->
            assertThat(reason).as(why).isNotEmpty();
        case AgentStep.StopHandlers _, AgentStep.TerminateHandlers _ ->
            assertThat(each.users().inTheWay()).as(why).isEmpty();
        case AgentStep.ResumeHandlers() -> assertThat(each.stopping()).as(why).isPresent();
      }
    }
    assertThat(taken).hasSize(6); // handlers that do not stop take time
  }

  private static void assertDrainedUnlessFirst(AgentDecision each, Supplier<String> why) {
    boolean first =
        each.report().map(DriverReport::revision).filter(text -> !text.isEmpty()).isEmpty();
    boolean drained =
        each.maintenance().filter(maintenance -> !maintenance.replacesThisAgent()).isPresent();
    assertThat(first || drained).as(why).isTrue();
  }
}
